import { expect, test } from "vitest";
import {
  prepareDatabaseConnections,
  waitUntilDatabaseIsReady,
  type DatabaseConnectionFunctions,
} from "./connections.ts";
import { Secret } from "./environment/secret.ts";
import { createLogger } from "./log/logger.ts";
import { ConfigurationError, StartupError } from "./startup-error.ts";

const refused = "connect ECONNREFUSED 127.0.0.1:1";

function start(waitForDatabase: DatabaseConnectionFunctions["waitForDatabase"], signal = new AbortController().signal) {
  const logger = createLogger({ name: "api", level: "silent" });
  const config = { databaseUrl: new Secret("postgres://nobody@127.0.0.1:1/none"), queueSchema: "report_queue" };
  return waitUntilDatabaseIsReady(config, { waitForDatabase }, logger, signal);
}

test("waitUntilDatabaseIsReady rejects with the last reason if the database stays down", async () => {
  const error = await start(async () => {
    throw new Error(refused);
  }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartupError);
  expect((error as Error).message).toBe(`The database was not ready within 60 s: ${refused}`);
});

test("waitUntilDatabaseIsReady rejects with the signal's reason if the signal aborts", async () => {
  const ending = new AbortController();
  const given = new Error("SIGTERM");
  const started = start(async ({ signal }) => {
    ending.abort(given);
    signal.throwIfAborted();
    return null;
  }, ending.signal);
  await expect(started).rejects.toBe(given);
});

test("waitUntilDatabaseIsReady rejects with ConfigurationError if waiting can't fix the problem", async () => {
  const started = start(async () => 'is refused: database "missing" does not exist');
  await expect(started).rejects.toBeInstanceOf(ConfigurationError);
  await expect(started).rejects.toThrow('- DATABASE_URL: is refused: database "missing" does not exist');
});

test("prepareDatabaseConnections lets new connections use the current password of a URL", () => {
  const [url, replaced] = ["postgres://u:old@h/d", "postgres://u:new@h/d"];
  const followed: string[][] = [];
  prepareDatabaseConnections(
    { databaseUrl: new Secret(url, () => replaced), reportSources: {}, isProduction: false },
    {
      findAddressProblems: () => [],
      followPassword: (given, readUrl) => void followed.push([given, readUrl()]),
      readTransports: () => [],
      waitForDatabase: async () => null,
    },
    createLogger({ name: "api", level: "silent" }),
  );
  expect(followed).toEqual([[url, replaced]]);
});
