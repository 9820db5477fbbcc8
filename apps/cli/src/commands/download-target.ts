import { constants, existsSync } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ReportFile } from "@reports/client";
import { usageError } from "../command-error.ts";
import type { CommandOutput } from "../output/command-output.ts";
import { toSafeText } from "../output/to-safe-text.ts";

export type DownloadTarget =
  | { readonly kind: "stdout" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "folder"; readonly path: string };

/** Reads `-o` before a report is started. Throws a CommandError if nothing can be written there. */
export async function readDownloadTarget(
  given: string | undefined,
  { output, json }: { readonly output: CommandOutput; readonly json: boolean },
): Promise<DownloadTarget> {
  if (given === "-") {
    if (json) throw usageError("-o - and --json both write to standard output. Use one of them.");
    if (output.isTerminal)
      throw usageError(
        "A file is never written to a terminal. Name one with -o FILE, or send standard output elsewhere.",
      );
    return { kind: "stdout" };
  }
  const path = given ?? ".";
  const found = await stat(path).catch(() => null);
  const isFolder = found?.isDirectory() === true;
  if (found !== null && !found.isFile() && !isFolder)
    throw usageError(
      `${toSafeText(path)} is not a regular file, and is not replaced by one. Use -o - and send standard output there.`,
    );
  if (found === null && /[/\\]$/.test(path))
    throw usageError(`${toSafeText(path)} ends with a slash, and there is no such folder.`);
  const folder = isFolder ? path : dirname(path);
  try {
    await access(folder, constants.W_OK);
  } catch (error) {
    throw usageError(`Nothing can be written to ${toSafeText(path)}: ${(error as Error).message}`);
  }
  return { kind: isFolder ? "folder" : "file", path };
}

/** Returns the path under which a file is saved: in a folder, with the service's name for it. Throws a CommandError if that file exists. */
export async function resolveTargetPath(
  target: Exclude<DownloadTarget, { readonly kind: "stdout" }>,
  { id, file }: { readonly id: string; readonly file: Pick<ReportFile, "fileName" | "extension"> | null },
): Promise<string> {
  if (target.kind === "file") return target.path;
  const path = join(
    target.path,
    toSafeFileName(file?.fileName ?? "") || `report-${toSafeFileName(id)}.${toSafeFileName(file?.extension ?? "")}`,
  );
  if (existsSync(path))
    throw usageError(
      `There is a file ${toSafeText(path)} already. Name another with -o FILE: the report ${toSafeText(id)} is kept.`,
    );
  return path;
}

/** File systems allow names of 255 bytes. A download is saved as NAME.part until it is complete. */
const maxNameBytes = 240;
/** Windows reserves these names, with any extension, for devices. */
const deviceNamePattern = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=$|[. ])/i;

/** Changes a name from the service into one that every file system accepts, that stays in the folder, and that is not hidden. */
export function toSafeFileName(name: string): string {
  const safe = toSafeText(name)
    .replaceAll(/[/\\:*?"<>|]/g, "_")
    .replace(/^[.\s-]+/, "")
    .replace(/(?<![.\s])[.\s]+$/, "")
    .replace(deviceNamePattern, "_$&");
  const [extension = ""] = /\.[a-z]{1,8}(?:\.gz)?$/.exec(safe) ?? [];
  return `${cutToBytes(safe.slice(0, safe.length - extension.length), maxNameBytes - extension.length)}${extension}`;
}

function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  let bytes = 0;
  const kept: string[] = [];
  for (const { segment } of new Intl.Segmenter("und", { granularity: "grapheme" }).segment(text)) {
    bytes += Buffer.byteLength(segment);
    if (bytes > maxBytes) break;
    kept.push(segment);
  }
  return kept.join("").trimEnd();
}
