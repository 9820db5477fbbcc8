import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { readMemoryBytes } from "@reports/testing";
import { repeatEvery } from "./repeat-every.ts";

export interface ProcessUsage {
  readonly descriptors: number;
  readonly residentBytes: number;
}

/** Returns the open descriptors and the resident memory of a process, from /proc (only on Linux). Both are 0 if the process has ended. */
export function readProcessUsage(pid: number): ProcessUsage {
  try {
    return { descriptors: readdirSync(`/proc/${pid}/fd`).length, residentBytes: readMemoryBytes(pid, "VmRSS") };
  } catch {
    return { descriptors: 0, residentBytes: 0 };
  }
}

export function countOpenFiles(pid: number, folder: string): number {
  if (!existsSync(`/proc/${pid}`)) return 0;
  return readdirSync(`/proc/${pid}/fd`).filter((descriptor) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptor}`).startsWith(`${folder}/`);
    } catch {
      // The descriptor was closed meanwhile.
      return false;
    }
  }).length;
}

export function watchPeakMemory(pid: number) {
  const seen = { peakBytes: 0 };
  const repetition = repeatEvery(500, async () => {
    seen.peakBytes = Math.max(seen.peakBytes, readProcessUsage(pid).residentBytes);
  });
  return Object.assign(seen, repetition);
}

export function formatMebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
