import { timezoneField } from "@reports/core/query";
import { createTestDatabases } from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });
const field = timezoneField("A time zone.");
const accepts = (zone: string): boolean => field.safeParse(zone).success;

const abbreviations = (
  "ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST PDT CEST EDT " +
  "SystemV/AST4ADT SystemV/PST8 posix/UTC right/UTC localtime posixrules Factory +01:00 UTC+1 GMT+5"
).split(" ");

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let client: Sql;

beforeAll(async () => {
  database = await cloneDatabase();
  client = postgres(database.url, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

test.each(abbreviations)("timezoneField rejects the name %s", (zone) => {
  expect(accepts(zone)).toBe(false);
});

test("Postgres and Intl agree on the local time of every accepted time zone", async () => {
  const known = (await client<{ name: string }[]>`select name from pg_timezone_names`).map(({ name }) => name);
  const candidates = [...new Set([...known, ...Intl.supportedValuesOf("timeZone"), ...abbreviations])];
  const accepted = candidates.filter((zone) => accepts(zone));
  expect(accepted.length).toBeGreaterThan(400);
  const wrong: string[] = [];
  for (const zone of accepted) {
    // Sets TimeZone, as a report's transaction does. AT TIME ZONE could give another result, because it looks for abbreviations first.
    const [found] = await client
      .begin(async (tx) => {
        await tx`select set_config('TimeZone', ${zone}, true)`;
        return tx<
          { clock: string }[]
        >`select to_char(timestamptz '2025-07-01 12:00Z', 'YYYY-MM-DD HH24:MI:SS') as clock`;
      })
      .catch(() => []);
    const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
    if (found?.clock !== clock.format(new Date("2025-07-01T12:00:00Z"))) wrong.push(`${zone}: ${String(found?.clock)}`);
  }
  expect(wrong).toEqual([]);
});

test("timezoneField accepts every time zone that both Postgres and Intl know", async () => {
  const names = (await client<{ name: string }[]>`select name from pg_timezone_names`).map(({ name }) => name);
  const knownToIntl = (zone: string): boolean => {
    try {
      return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
    } catch {
      return false;
    }
  };
  expect(names.filter((zone) => !accepts(zone) && knownToIntl(zone))).toEqual([]);
});

test("timezoneField accepts every time zone that the CLI completes", () => {
  expect(Intl.supportedValuesOf("timeZone").filter((zone) => !accepts(zone))).toEqual([]);
});
