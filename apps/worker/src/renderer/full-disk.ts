import type { FileHandle } from "node:fs/promises";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { HostFailureError, PermanentReportError } from "@reports/core/base";

/** How full a disk is, in bytes. */
export interface DiskUse {
  /** All that files without rights of their own may take. */
  readonly usableBytes: number;
  readonly availableBytes: number;
}

/** When everything else on the disk takes less than this share of it, waiting for free space is pointless. */
const negligibleShare = 0.1;

/** Reads how full the disk is on which the path lies. Rejects with the system's error. */
export async function readDiskUse(path: string): Promise<DiskUse> {
  const { bsize, blocks, bfree, bavail } = await statfs(path);
  return { usableBytes: (blocks - (bfree - bavail)) * bsize, availableBytes: bavail * bsize };
}

/** Whether a file that filled the disk did it alone, so that it cannot fit however long one waits. */
export function fillsAlone(disk: DiskUse, ownBytes: number): boolean {
  const othersBytes = disk.usableBytes - disk.availableBytes - ownBytes;
  return othersBytes < disk.usableBytes * negligibleShare;
}

/**
 * The error for a write that found the disk of the spool folder full: SPOOL_LIMIT_EXCEEDED when it is the attempt alone that fills it,
 * else HostFailureError, because the space of other files is the reason.
 */
export async function fullDiskError(
  handle: FileHandle,
  path: string,
  { cause, besideBytes }: { readonly cause: unknown; readonly besideBytes: number },
): Promise<Error> {
  const mebibyte = 1024 ** 2;
  try {
    // What the file takes of the disk, which can be less than was written to it.
    const [{ blocks }, disk] = await Promise.all([handle.stat(), readDiskUse(dirname(path))]);
    if (fillsAlone(disk, blocks * 512 + besideBytes)) {
      return new PermanentReportError(
        "SPOOL_LIMIT_EXCEEDED",
        `The report's file is larger than the whole disk of the scratch folder (${Math.floor(disk.usableBytes / mebibyte).toLocaleString("en")} MiB). Narrow its filters, leave out columns, or ask for a compressed format.`,
        cause,
      );
    }
  } catch {
    // A disk that does not even say how full it is: that can pass.
  }
  return new HostFailureError(
    "spool",
    "The worker's scratch space is full, partly with other files. Free space in SPOOL_DIR; the report is retried.",
    cause,
  );
}
