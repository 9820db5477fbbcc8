import { constants } from "node:fs";
import { access, open, statfs, unlink } from "node:fs/promises";
import { join } from "node:path";
import { HostFailureError } from "@reports/core/base";
import type { DiskUsage } from "../renderer/full-disk.ts";

const probeBytes = 64 * 1024;
/** A worker takes reports only while the disk has this many free bytes, or the share `minFreeShare` of a small disk. */
const minFreeBytes = 64 * 1024 ** 2;
const minFreeShare = 0.05;

/**
 * Checks without writing that the folder is accessible and its disk is not full. Rejects with HostFailureError for a full disk, otherwise with the
 * system's error.
 */
export async function checkSpoolFolderAccess(folder: string): Promise<void> {
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  const { bavail, blocks } = await statfs(folder);
  if (bavail === 0 && blocks > 0) throw nearlyFullDiskError();
}

/** Checks the disk by writing and removing a file. Rejects with the system's error, or with HostFailureError if the disk is nearly full. */
export async function checkDiskByWriting(folder: string, { usableBytes, availableBytes }: DiskUsage): Promise<void> {
  const path = join(folder, "probe");
  const handle = await open(path, "w", 0o600);
  try {
    await handle.writeFile(Buffer.alloc(probeBytes, 1));
    await handle.datasync();
  } finally {
    await handle.close();
    await unlink(path);
  }
  if (availableBytes < Math.min(minFreeBytes, usableBytes * minFreeShare)) throw nearlyFullDiskError();
}

function nearlyFullDiskError(): HostFailureError {
  return new HostFailureError("spool", "The disk of the worker's scratch space is full. Free space in SPOOL_DIR.");
}
