import { createHash } from "node:crypto";
import { gunzipSync, inflateRawSync, zstdDecompressSync } from "node:zlib";
import type { TortureReportRequest } from "../load/report-variants.ts";

/** SHA-256 of the parts of a file by name of the part, such as the entries of an xlsx archive. */
export type FileFingerprint = ReadonlyMap<string, string>;

const hashBytes = (bytes: Buffer | string): string => createHash("sha256").update(bytes).digest("hex");

export function computeFileFingerprint(bytes: Buffer, { format, compression }: TortureReportRequest): FileFingerprint {
  const plain = compression === "gzip" ? gunzipSync(bytes) : compression === "zstd" ? zstdDecompressSync(bytes) : bytes;
  switch (format) {
    case "csv":
    case "ndjson":
      return new Map([["rows", hashBytes(plain)]]);
    case "json": {
      const { rows } = JSON.parse(plain.toString("utf8")) as { rows: unknown };
      return new Map([["rows", hashBytes(JSON.stringify(rows))]]);
    }
    case "xlsx":
      return zipEntries(plain);
    case "pdf":
      return pdfPages(plain);
  }
}

/**
 * Returns the parts that are equal in two runs without faults. Parts that contain times or IDs differ. In every other run, the returned parts must be
 * equal, too.
 */
export function selectCommonParts(one: FileFingerprint, other: FileFingerprint): FileFingerprint {
  return new Map([...one].filter(([name, value]) => other.get(name) === value));
}

export function listDifferingParts(reference: FileFingerprint, seen: FileFingerprint): string[] {
  return [...reference].filter(([name, value]) => seen.get(name) !== value).map(([name]) => name);
}

function zipEntries(zip: Buffer): FileFingerprint {
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
    // Two parts differ between correct files. The page header has the title, by which the harness identifies starts without a key. A sheet has a
    // dimension only if its rows were counted before they were written, as for a rendition.
    const compared = shown
      .toString("latin1")
      .replace(/<headerFooter>.*?<\/headerFooter>/s, "")
      .replace(/<\/sheetPr>(?:<dimension [^>]*>| +)/, "</sheetPr>");
    entries.set(name, hashBytes(compared));
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * Returns the number of pages as the only part. The texts of a pdf contain times, and its font subset depends on its texts, so no other part can be
 * compared.
 */
function pdfPages(pdf: Buffer): FileFingerprint {
  const text = pdf.toString("latin1");
  if (!text.trimEnd().endsWith("%%EOF")) throw new Error("The pdf has no end.");
  const pages = text.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  return new Map([["number of pages", String(pages)]]);
}
