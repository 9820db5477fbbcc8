import { findDebianPostgres, hostileSettings, startPostgres, throwAwayPostgresSettings } from "@reports/testing";
import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { readSessionSettingNames } from "./session-setting-names.fixture.ts";

describe.skipIf(findDebianPostgres() === null)("on Debian's Postgres", () => {
  test("every setting that a session may change is in the table of hostile settings", async () => {
    const server = await startPostgres({ bin: findDebianPostgres() ?? undefined, settings: throwAwayPostgresSettings });
    const client = postgres(server.url, { max: 1, onnotice: () => undefined });
    try {
      const names = await readSessionSettingNames(client);
      expect(names.filter((name) => !Object.hasOwn(hostileSettings, name))).toEqual([]);
    } finally {
      await client.end();
      await server.stop("immediate", { keepData: false });
    }
  }, 120_000);
});
