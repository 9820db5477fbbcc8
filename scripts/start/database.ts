import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isReachableByEveryUser, findPostgresOsUser, startPostgres } from "@reports/testing";
import type { PostgresServer } from "@reports/testing";
import { endLeftoverProcess } from "./data-folder.ts";

/**
 * Starts the embedded Postgres. It refuses to run as root, so for root it runs as another user. If that user cannot access the folder, the data
 * of Postgres are in /var/lib/report-gateway.
 */
export async function startDevelopmentDatabase(dataDir: string, password: string): Promise<PostgresServer> {
  const folder = await databaseFolder(dataDir);
  await endLeftoverServer(folder);
  return startPostgres({ dataDir: folder, password });
}

async function databaseFolder(dataDir: string): Promise<string> {
  const wanted = join(dataDir, "postgres");
  await mkdir(dirname(wanted), { recursive: true });
  if (findPostgresOsUser() === null || isReachableByEveryUser(wanted)) return wanted;
  const folder = join(
    "/var/lib/report-gateway",
    createHash("sha256").update(dataDir).digest("hex").slice(0, 12),
    "postgres",
  );
  await mkdir(dirname(folder), { recursive: true });
  return folder;
}

/** Ends a Postgres of a killed start. This start has locked the data folder, so no other start can use that server. */
async function endLeftoverServer(folder: string): Promise<void> {
  const file = join(folder, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n")[0]);
  if (pid > 0) await endLeftoverProcess(pid, (command) => command.includes(folder), "SIGINT");
}
