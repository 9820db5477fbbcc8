import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Where a worker keeps files that are being made. */
export interface SpoolFolder {
  /** Makes the folder, and removes those of workers that died. */
  start(): Promise<void>;
  stop(): Promise<void>;
  pathOf(reportId: string, attempt: number): string;
}

/** Folders of other hosts, whose processes cannot be asked after, are removed when nothing in them has changed for this long. */
const foreignAgeMs = 24 * 60 * 60 * 1000;

/** One folder a worker below the spool folder, named after its host and process so that the next worker can tell whether it lives. */
export function createSpoolFolder(options: {
  readonly directory: string;
  readonly host: string;
  readonly pid: number;
  readonly unique: string;
}): SpoolFolder {
  const host = options.host.replaceAll(/[^A-Za-z0-9.-]/g, "-");
  const name = `${host}_${options.pid}_${options.unique}`;
  const folder = join(options.directory, name);

  const isAbandoned = async (found: string): Promise<boolean> => {
    const [, ofHost, pid] = /^(.+)_(\d+)_[^_]+$/.exec(found) ?? [];
    if (ofHost === undefined || found === name) return false;
    // Another folder of this very process id is of its predecessor: in containers every worker is process 1.
    if (ofHost === host) return Number(pid) === options.pid || !isAlive(Number(pid));
    const { mtimeMs } = await stat(join(options.directory, found));
    return Date.now() - mtimeMs > foreignAgeMs;
  };

  return {
    async start() {
      await mkdir(folder, { recursive: true });
      for (const found of await readdir(options.directory)) {
        // A folder that another worker removes at the same moment is gone as well.
        if (await isAbandoned(found).catch(() => false)) {
          await rm(join(options.directory, found), { recursive: true, force: true });
        }
      }
    },
    stop: () => rm(folder, { recursive: true, force: true }),
    pathOf: (reportId, attempt) => join(folder, `${reportId}-${attempt}`),
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
