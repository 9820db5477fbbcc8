import { mkdir, readdir, rm, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { HostFailureError } from "@reports/core/base";
import type { Logger } from "@reports/runtime";
import { createPeriodicWork } from "../maintenance/periodic-work.ts";
import { createPrivateDirectory, getDefaultSpoolDirectory } from "./default-directory.ts";
import { readDiskUsage, type DiskUsage } from "../renderer/full-disk.ts";
import { toSpoolError } from "../renderer/spool-writer.ts";
import { checkSpoolFolderAccess, checkDiskByWriting } from "./check-disk-by-writing.ts";

export interface SpoolFolder {
  start(): Promise<void>;
  stop(): Promise<void>;
  glance(): Promise<void>;
  /** Checks the disk by writing, and creates a missing folder again. Rejects with HostFailureError. */
  prove(): Promise<void>;
  /** Returns the maximum size of a file in bytes: the configured one, or the size of the disk if that is smaller. */
  largestFileBytes(): number;
  pathOf(reportId: string, attempt: number): string;
  /** Removes these files. Never rejects, because files that remain are removed with the folder. */
  readonly remove: (paths: readonly string[]) => Promise<void>;
}

/** Times of the heartbeat file, by which other workers see that this worker is alive. Tests shorten them. */
export interface SpoolTimings {
  readonly heartbeatMs: number;
  /**
   * A folder whose heartbeat file has not changed for this long is abandoned. The limit exceeds the time for which network file systems show outdated
   * times.
   */
  readonly abandonedMs: number;
  /** A folder of an older version that has not changed for this long is abandoned. It has no heartbeat file and changes only when a report runs. */
  readonly olderAbandonedMs: number;
}

const defaults: SpoolTimings = { heartbeatMs: 15_000, abandonedMs: 180_000, olderAbandonedMs: 24 * 60 * 60 * 1000 };
const heartbeatFileName = "alive";
const currentNamePattern = /^worker-[0-9a-f]+$/;
const olderNamePattern = /^(.+)_(\d+)_[^_]+$/;

interface Observation {
  readonly mtimeMs: number;
  readonly since: number;
}

/**
 * Manages this worker's folder in the shared spool folder. Each worker touches a heartbeat file in its own folder. Other workers remove the folder if
 * the file has not changed for long enough by their own monotonic clock. Host names, process IDs and clocks of containers can't be trusted for this.
 */
export function createSpoolFolder(options: {
  /** The setting SPOOL_DIR; null stands for the user's folder in the system's temporary folder. */
  readonly directory: string | null;
  readonly unique: string;
  readonly maxFileBytes: number;
  readonly concurrency: number;
  readonly logger: Logger;
  readonly times?: SpoolTimings;
}): SpoolFolder {
  const { logger, times = defaults } = options;
  const directory = options.directory ?? getDefaultSpoolDirectory();
  const name = `worker-${options.unique}`;
  const folder = join(directory, name);
  const heartbeatFile = join(folder, heartbeatFileName);
  let observations = new Map<string, Observation>();
  let largestFileBytes = options.maxFileBytes;

  const make = async (): Promise<void> => {
    await (options.directory === null ? createPrivateDirectory(directory) : mkdir(directory, { recursive: true }));
    // Only this user may read the folder, because it contains unfinished reports.
    await mkdir(folder, { mode: 0o700, recursive: true });
    await writeFile(heartbeatFile, "");
  };
  const measure = async (): Promise<DiskUsage> => {
    const disk = await readDiskUsage(folder);
    largestFileBytes = Math.min(options.maxFileBytes, disk.usableBytes);
    return disk;
  };
  const warnOfSmallDisk = ({ usableBytes }: DiskUsage): void => {
    const wantedBytes = options.concurrency * options.maxFileBytes;
    if (usableBytes >= wantedBytes) return;
    const fields = { diskBytes: usableBytes, wantedBytes };
    logger.warn("SPOOL_DIR is on a disk that is smaller than WORKER_CONCURRENCY times SPOOL_MAX_BYTES", fields);
  };

  const isAbandoned = async (found: string, seen: Map<string, Observation>): Promise<boolean> => {
    const { mtimeMs } = await readHeartbeatTime(join(directory, found));
    const now = performance.now();
    const before = observations.get(found);
    const sighting = before?.mtimeMs === mtimeMs ? before : { mtimeMs, since: now };
    seen.set(found, sighting);
    return now - sighting.since > (currentNamePattern.test(found) ? times.abandonedMs : times.olderAbandonedMs);
  };

  const sweep = async (): Promise<void> => {
    const seen = new Map<string, Observation>();
    for (const found of await readdir(directory)) {
      if (found === name || !(currentNamePattern.test(found) || olderNamePattern.test(found))) continue;
      // The folder may disappear during the check, because other workers remove abandoned folders too.
      if (isOfRunningOlderWorker(found) || !(await isAbandoned(found, seen).catch(() => false))) continue;
      await rm(join(directory, found), { recursive: true, force: true });
      logger.info("spool folder of a dead worker removed", { folder: found });
    }
    observations = seen;
  };

  const heartbeat = createPeriodicWork({
    name: "spool",
    everyMs: times.heartbeatMs,
    jitterMs: times.heartbeatMs / 10,
    logger,
    work: async () => {
      const now = new Date();
      // Errors are ignored here. `prove` notices a disk that accepts no files, and creates a missing folder again.
      await utimes(heartbeatFile, now, now).catch(() => undefined);
      await sweep();
    },
  });

  return {
    async start() {
      try {
        await make();
        warnOfSmallDisk(await measure());
        await sweep();
      } catch (error) {
        const cause = toSpoolError(error);
        // A broken disk may be repaired, so the worker starts and waits. A folder without write permission is a configuration error.
        if (!(cause instanceof HostFailureError) || isPermissionError(error)) throw error;
        logger.error("the scratch folder could not be made; this worker takes no reports until it can", {
          error: cause,
        });
      }
      heartbeat.start();
    },
    async stop() {
      await heartbeat.stop();
      await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
        logger.warn("the worker's scratch folder could not be removed; other workers remove it later", { error }),
      );
    },
    glance: async () => checkSpoolFolderAccess(folder).catch((error: unknown) => Promise.reject(toSpoolError(error))),
    async prove() {
      try {
        await make();
        await checkDiskByWriting(folder, await measure());
      } catch (error) {
        throw toSpoolError(error);
      }
    },
    largestFileBytes: () => largestFileBytes,
    pathOf: (reportId, attempt) => join(folder, `${reportId}-${attempt}`),
    remove: removeSpoolFiles,
  };
}

function isPermissionError(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EACCES" || code === "EPERM";
}

/**
 * Reports whether a running process of an older version owns the folder. An idle process does not change its folder, so the folder's age proves
 * nothing.
 */
function isOfRunningOlderWorker(found: string): boolean {
  const [, host, id] = olderNamePattern.exec(found) ?? [];
  const pid = Number(id);
  // If the process ID is our own, an earlier container owned the folder, because in containers every worker has process ID 1.
  if (host !== hostname().replaceAll(/[^A-Za-z0-9.-]/g, "-") || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function readHeartbeatTime(folder: string): Promise<{ readonly mtimeMs: number }> {
  // Folders of older versions, and of workers that died early, have no heartbeat file.
  return stat(join(folder, heartbeatFileName)).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return stat(folder);
    throw error;
  });
}

export async function removeSpoolFiles(paths: readonly string[]): Promise<void> {
  await Promise.allSettled(paths.map((path) => unlink(path)));
}
