import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chown } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { isAvailableOrThrowInCi } from "../is-available-or-throw-in-ci.ts";
import { findPostgresOsUser, toSpawnOptions } from "./postgres-os-user.ts";
import { createTemporaryServerFolder } from "./server-roots.ts";
import { startPostgres, throwAwayPostgresSettings } from "./start-postgres.ts";

/** Programs of Debian's Postgres 15. A replica needs its pg_basebackup, which the npm package lacks. */
export const debianPostgresFolder = "/usr/lib/postgresql/15/bin";

export function canStartReplica(): boolean {
  return findDebianPostgres() !== null;
}

/** Returns the programs folder of Debian's Postgres 15, the oldest supported version; null if it is not installed. In CI, throws instead. */
export function findDebianPostgres(): string | null {
  const isAvailable = existsSync(join(debianPostgresFolder, "pg_basebackup"));
  return isAvailableOrThrowInCi("Postgres of Debian (apt-get install postgresql-15)", isAvailable)
    ? debianPostgresFolder
    : null;
}

export type ReplicatedPostgres = Awaited<ReturnType<typeof startReplicatedPostgres>>;

export async function startReplicatedPostgres(settings: {
  readonly primary: Readonly<Record<string, string>>;
  readonly replica: Readonly<Record<string, string>>;
}) {
  const primary = await startPostgres({
    bin: debianPostgresFolder,
    settings: { ...throwAwayPostgresSettings, ...settings.primary },
  });
  const { password } = new URL(primary.url);
  const folder = await createTemporaryServerFolder("reports-replica-");
  const user = findPostgresOsUser();
  if (user !== null) await chown(folder, user.uid, user.gid);
  const dataDir = join(folder, "data");
  await promisify(execFile)(
    join(debianPostgresFolder, "pg_basebackup"),
    ["--pgdata", dataDir, "--dbname", primary.url, "--write-recovery-conf", "--checkpoint=fast"],
    { cwd: "/", ...toSpawnOptions(user) },
  );
  const replica = await startPostgres({
    bin: debianPostgresFolder,
    dataDir,
    password,
    settings: { ...throwAwayPostgresSettings, ...settings.replica },
  });
  return {
    primary,
    replica,
    async [Symbol.asyncDispose]() {
      await replica.stop("immediate", { keepData: false });
      await primary.stop("immediate", { keepData: false });
    },
  };
}
