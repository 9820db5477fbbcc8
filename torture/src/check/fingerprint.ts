import { createHash } from "node:crypto";
import { gunzipSync, inflateRawSync, zstdDecompressSync } from "node:zlib";
import type { ReportRequest } from "../load/variants.ts";

/** The hash of what each part of a file shows. Parts that differ between two undisturbed runs (times, ids) are ignored. */
export type Fingerprint = ReadonlyMap<string, string>;

const hash = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");

/** Throws if the file is not whole. */
export function fingerprint(bytes: Buffer, { format, compression }: ReportRequest): Fingerprint {
  const plain = compression === "gzip" ? gunzipSync(bytes) : compression === "zstd" ? zstdDecompressSync(bytes) : bytes;
  switch (format) {
    case "csv":
    case "ndjson":
      return new Map([["rows", hash(plain)]]);
    case "json": {
      const { rows } = JSON.parse(plain.toString("utf8")) as { rows: unknown };
      return new Map([["rows", hash(JSON.stringify(rows))]]);
    }
    case "xlsx":
      return zipEntries(plain);
    case "pdf":
      return pdfPages(plain);
  }
}

/** Returns what two undisturbed runs have in common, and so every other run must have. */
export function commonParts(one: Fingerprint, other: Fingerprint): Fingerprint {
  return new Map([...one].filter(([name, value]) => other.get(name) === value));
}

export function differences(reference: Fingerprint, seen: Fingerprint): string[] {
  return [...reference].filter(([name, value]) => seen.get(name) !== value).map(([name]) => name);
}

function zipEntries(zip: Buffer): Fingerprint {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  if (end < 0) throw new Error("The xlsx has no end.");
  const entries = new Map<string, string>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const size = zip.readUInt32LE(at + 20);
    const nameLength = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const data = zip.subarray(begin, begin + size);
    const shown = zip.readUInt16LE(at + 10) === 0 ? data : inflateRawSync(data);
    // What stands on printed pages names the report's title, which tells starts without a key from one another.
    // A sheet has a dimension only where its rows are counted before they are written, as kept rows are.
    const compared = shown
      .toString("latin1")
      .replace(/<headerFooter>.*?<\/headerFooter>/s, "")
      .replace(/<\/sheetPr>(?:<dimension [^>]*>| +)/, "</sheetPr>");
    entries.set(name, hash(compared));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

/** Its texts hold times, and its font subset follows from its texts: only the number of pages can be compared. */
function pdfPages(pdf: Buffer): Fingerprint {
  const text = pdf.toString("latin1");
  if (!text.trimEnd().endsWith("%%EOF")) throw new Error("The pdf has no end.");
  const pages = text.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  return new Map([["number of pages", String(pages)]]);
}
