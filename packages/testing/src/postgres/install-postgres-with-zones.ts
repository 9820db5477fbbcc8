import { Buffer } from "node:buffer";
import { chmod, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findPostgresBinaries } from "./binaries.ts";

export type PostgresWithZones = Awaited<ReturnType<typeof installPostgresWithZones>>;

/** Copies the Postgres programs with other time zones, as in an old zone database. `zones` has fixed offsets in seconds; null removes a zone. */
export async function installPostgresWithZones(zones: Readonly<Record<string, number | null>>) {
  const { postgres } = await findPostgresBinaries(undefined, null);
  const installation = dirname(dirname(postgres));
  const folder = await mkdtemp(join(tmpdir(), "reports-old-zones-"));
  // The user that runs Postgres, which is not root, must be able to read the copy.
  await chmod(folder, 0o755);
  // All three folders are copied, because Postgres locates lib and share relative to its programs.
  for (const part of ["bin", "lib", "share"]) {
    await cp(join(installation, part), join(folder, part), { recursive: true, verbatimSymlinks: true });
  }
  for (const [name, aheadS] of Object.entries(zones)) {
    const path = join(folder, "share/postgresql/timezone", name);
    await rm(path, { force: true });
    if (aheadS !== null) await writeFile(path, encodeFixedZone(aheadS));
  }
  return {
    bin: join(folder, "bin"),
    [Symbol.asyncDispose]: async () => rm(folder, { recursive: true, force: true }),
  };
}

/** Returns a TZif file (RFC 9636, version 1) with one fixed offset. */
function encodeFixedZone(aheadS: number): Buffer {
  const abbreviation = "OLD\0";
  const header = Buffer.alloc(44);
  header.write("TZif", "latin1");
  header.writeInt32BE(1, 36);
  header.writeInt32BE(abbreviation.length, 40);
  const type = Buffer.alloc(6);
  type.writeInt32BE(aheadS, 0);
  return Buffer.concat([header, type, Buffer.from(abbreviation, "latin1")]);
}
