import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { machineHas } from "../machine-has.ts";
import { serverUser } from "./server-user.ts";
import { startPostgres, throwAwaySettings, type PostgresServer } from "./start-postgres.ts";

/** Programs of Debian's Postgres: what the registry ships has no pg_basebackup. */
const bin = "/usr/lib/postgresql/15/bin";

/** Whether a replica can be made. In CI it has to be: throws there when it cannot. */
export function canReplicate(): boolean {
  return findDebianPostgres() !== null;
}

/** The folder of Debian's Postgres 15, the oldest version that is supported; null where it is missing. Throws in CI then. */
export function findDebianPostgres(): string | null {
  const isThere = existsSync(join(bin, "pg_basebackup"));
  return machineHas("Postgres of Debian (apt-get install postgresql-15)", isThere) ? bin : null;
}

/** A server, and another that streams its changes and can be read. */
export interface ReplicatedPostgres extends AsyncDisposable {
  readonly primary: PostgresServer;
  readonly replica: PostgresServer;
}

/** Starts a primary, copies it by pg_basebackup and starts the copy as its streaming replica. */
export async function startReplicatedPostgres(settings: {
  readonly primary: Readonly<Record<string, string>>;
  readonly replica: Readonly<Record<string, string>>;
}): Promise<ReplicatedPostgres> {
  const primary = await startPostgres({ bin, settings: { ...throwAwaySettings, ...settings.primary } });
  const { password } = new URL(primary.url);
  const folder = await mkdtemp(join(tmpdir(), "reports-replica-"));
  const user = serverUser();
  if (user !== null) await chown(folder, user.uid, user.gid);
  const dataDir = join(folder, "data");
  await promisify(execFile)(
    join(bin, "pg_basebackup"),
    ["--pgdata", dataDir, "--dbname", primary.url, "--write-recovery-conf", "--checkpoint=fast"],
    { cwd: "/", ...(user === null ? {} : { uid: user.uid, gid: user.gid }) },
  );
  const replica = await startPostgres({
    bin,
    dataDir,
    password,
    settings: { ...throwAwaySettings, ...settings.replica },
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
