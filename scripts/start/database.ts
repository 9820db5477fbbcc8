import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isReachableByEveryUser, findPostgresUser, startPostgres } from "@reports/testing";
import type { PostgresServer } from "@reports/testing";
import { endLeftover } from "./data-folder.ts";

/** Starts the embedded Postgres. As root it runs as another user, with its data in /var/lib/report-gateway if the user can't access the folder. */
export async function startDevelopmentDatabase(dataDir: string, password: string): Promise<PostgresServer> {
  const folder = await databaseFolder(dataDir);
  await endLeftoverServer(folder);
  return startPostgres({ dataDir: folder, password });
}

async function databaseFolder(dataDir: string): Promise<string> {
  const wanted = join(dataDir, "postgres");
  await mkdir(dirname(wanted), { recursive: true });
  if (findPostgresUser() === null || isReachableByEveryUser(wanted)) return wanted;
  const folder = join(
    "/var/lib/report-gateway",
    createHash("sha256").update(dataDir).digest("hex").slice(0, 12),
    "postgres",
  );
  await mkdir(dirname(folder), { recursive: true });
  return folder;
}

/** Ends a Postgres that a killed start has left. The data folder is locked, so no other start uses this server. */
async function endLeftoverServer(folder: string): Promise<void> {
  const file = join(folder, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  if (pid > 0) await endLeftover(pid, (command) => command.includes(folder), "SIGINT");
}
