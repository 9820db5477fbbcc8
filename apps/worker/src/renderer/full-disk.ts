import type { FileHandle } from "node:fs/promises";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { HostFailureError, PermanentReportError } from "@reports/core/base";

export interface DiskUsage {
  /** Total space of the disk without the part that only root can use. */
  readonly usableBytes: number;
  readonly availableBytes: number;
}

/** If other files take less than this share of the disk, their removal would not make room for the report's file. */
const negligibleShare = 0.1;

export async function readDiskUsage(path: string): Promise<DiskUsage> {
  const { bsize, blocks, bfree, bavail } = await statfs(path);
  return { usableBytes: (blocks - (bfree - bavail)) * bsize, availableBytes: bavail * bsize };
}

/** Reports whether the attempt's own files fill the disk, so that a retry on this disk would fail too. */
export function isDiskFilledByOwnFiles(disk: DiskUsage, ownBytes: number): boolean {
  const othersBytes = disk.usableBytes - disk.availableBytes - ownBytes;
  return othersBytes < disk.usableBytes * negligibleShare;
}

/** Returns the error for a full spool disk: SPOOL_LIMIT_EXCEEDED if the attempt's own files fill it, else HostFailureError. */
export async function createFullDiskError(
  handle: FileHandle,
  path: string,
  { cause, otherBytes }: { readonly cause: unknown; readonly otherBytes: number },
): Promise<Error> {
  const mebibyte = 1024 ** 2;
  try {
    // `blocks` is the space that the file takes on disk, which can be less than its size.
    const [{ blocks }, disk] = await Promise.all([handle.stat(), readDiskUsage(dirname(path))]);
    if (isDiskFilledByOwnFiles(disk, blocks * 512 + otherBytes)) {
      return new PermanentReportError(
        "SPOOL_LIMIT_EXCEEDED",
        `The report's file is larger than the whole disk of the scratch folder (${Math.floor(disk.usableBytes / mebibyte).toLocaleString("en")} MiB). Narrow its filters, leave out columns, or ask for a compressed format.`,
        cause,
      );
    }
  } catch {
    // If the use of the disk can't be read, the failure counts as temporary.
  }
  return new HostFailureError(
    "spool",
    "The worker's scratch space is full, partly with other files. Free space in SPOOL_DIR; the report is retried.",
    cause,
  );
}
