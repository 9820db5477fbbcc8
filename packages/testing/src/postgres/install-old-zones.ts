import { Buffer } from "node:buffer";
import { chmod, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findPostgresBinaries } from "./binaries.ts";

/** Programs of a Postgres whose time zones differ from those of Node. */
export interface OldZones extends AsyncDisposable {
  /** For `startPostgres`. */
  readonly bin: string;
}

/**
 * Copies the programs of Postgres that the registry ships, with another time zone database. `zones` says for each zone how many seconds it is ahead
 * of UTC, always, or null for a zone that this Postgres does not know.
 */
export async function installOldZones(zones: Readonly<Record<string, number | null>>): Promise<OldZones> {
  const { postgres } = await findPostgresBinaries(undefined, null);
  const installation = dirname(dirname(postgres));
  const folder = await mkdtemp(join(tmpdir(), "reports-old-zones-"));
  // The server's user reaches the copy wherever the checkout is.
  await chmod(folder, 0o755);
  // The programs look for their other files beside the place where they are.
  for (const part of ["bin", "lib", "share"]) {
    await cp(join(installation, part), join(folder, part), { recursive: true, verbatimSymlinks: true });
  }
  for (const [name, aheadS] of Object.entries(zones)) {
    const path = join(folder, "share/postgresql/timezone", name);
    await rm(path, { force: true });
    if (aheadS !== null) await writeFile(path, fixedZone(aheadS));
  }
  return {
    bin: join(folder, "bin"),
    [Symbol.asyncDispose]: async () => rm(folder, { recursive: true, force: true }),
  };
}

/** A file of the zone database (RFC 9636, version 1): one offset, and no changes of it. */
function fixedZone(aheadS: number): Buffer {
  const abbreviation = "OLD\0";
  const header = Buffer.alloc(44);
  header.write("TZif", "latin1");
  // The number of types, and of the characters of their names.
  header.writeInt32BE(1, 36);
  header.writeInt32BE(abbreviation.length, 40);
  const type = Buffer.alloc(6);
  type.writeInt32BE(aheadS, 0);
  return Buffer.concat([header, type, Buffer.from(abbreviation, "latin1")]);
}
