import { text as readText } from "node:stream/consumers";
import { defineReportTypes } from "@reports/core/report-type";
import { DatabaseLimitError, StoreUnavailableError } from "@reports/core/base";
import type { ReportTypeDefinition } from "@reports/core/report";
import { createTestDatabases } from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { transientSqlStates } from "../database/store-error.ts";
import { createRowSourceReader } from "./report-source.ts";

const { cloneDatabase } = createTestDatabases({ template: "bare", migrate: async () => undefined });
let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let owner: Sql;
let major: number;

beforeAll(async () => {
  clone = await cloneDatabase();
  owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  major = Math.floor(Number((await owner`show server_version_num`)[0]!["server_version_num"]) / 10_000);
});
afterAll(async () => {
  await owner.end();
  await clone[Symbol.asyncDispose]();
});

const typeOver = (view: string): ReportTypeDefinition =>
  defineReportTypes([
    {
      authority: "LIMITS",
      definition: {
        type: "LIMITS",
        version: 1,
        title: "Limits",
        columns: [{ key: "name", title: "Name", kind: "text" }],
        rows: { kind: "view", view, id: "id", columns: { name: { column: "name", type: "text" } } },
      },
    },
  ]).reportTypes[0]!.definition;

async function read(view: string, attempt = 1): Promise<string> {
  const definition = typeOver(view);
  const rows = await createRowSourceReader({ url: clone.url }).open({
    definition,
    searchParam: {},
    columns: definition.columns,
    sort: [{ key: "name", descending: false }],
    timezone: "UTC",
    statementTimeoutMs: 60_000,
    attempt,
    signal: new AbortController().signal,
  });
  return readText(rows.bytes);
}

/** Expected outcome by SQLSTATE: the attempt counts as a failure ("counts"), is retried without one ("passes"), or ends the report ("ends"). */
const outcomes: Readonly<Record<string, "counts" | "passes" | "ends">> = {
  QU001: "passes",
  "40001": "passes",
  "40P01": "passes",
  "25006": "counts",
  "25P03": "counts",
  "25P04": "counts",
  "55P03": "counts",
  "57014": "counts",
  "08000": "passes",
  "08001": "passes",
  "08003": "passes",
  "08004": "passes",
  "08006": "passes",
  "08007": "passes",
  "08P01": "counts",
  "53000": "counts",
  "53100": "counts",
  "53200": "counts",
  "53300": "passes",
  "53400": "counts",
  "57P01": "passes",
  "57P02": "passes",
  "57P03": "passes",
  "57P04": "passes",
  "57P05": "counts",
};
const kindOf = (error: unknown): string => {
  if (error instanceof DatabaseLimitError) return "counts";
  return error instanceof StoreUnavailableError ? "passes" : "ends";
};

test("each transient SQLSTATE ends an attempt as listed: retried or counted as failure", async () => {
  expect(Object.keys(outcomes).toSorted()).toEqual([...transientSqlStates].toSorted());
  const seen: Record<string, string> = {};
  for (const state of transientSqlStates) {
    await owner.unsafe(`
      create or replace function raise_state() returns text language plpgsql as $$
        begin raise exception 'ended' using errcode = '${state}'; end $$;
      create or replace view raising as select 1 as id, raise_state() as name`);
    seen[state] = kindOf(await read("raising").catch((error: unknown) => error));
  }
  expect(seen).toEqual(outcomes);
});

test.each(["40001", "57P01"])(
  "SQLSTATE %s counts as a failure from the third attempt on and is in the error",
  async (state) => {
    await owner.unsafe(`
    create or replace function ends_attempt() returns text language plpgsql as $$
      begin raise exception 'ended' using errcode = '${state}'; end $$;
    create or replace view ending as select 1 as id, ends_attempt() as name`);
    await expect(read("ending", 2)).rejects.toBeInstanceOf(StoreUnavailableError);
    const ended = await read("ending", 3).catch((error: unknown) => error);
    expect(ended).toBeInstanceOf(DatabaseLimitError);
    expect(ended).toMatchObject({ message: expect.stringContaining(state) as string });
  },
);

test("a query cancelled before its time limit counts as a failure and says why", async () => {
  await owner.unsafe("create view cancelled as select 1 as id, 'slow' || pg_sleep(60)::text as name");
  const reading = read("cancelled").catch((error: unknown) => error);
  await expect
    .poll(async () => {
      const stopped = await owner`
        select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and wait_event = 'PgSleep'`;
      return stopped.length;
    })
    .toBeGreaterThan(0);
  const ended = await reading;
  expect(ended).toBeInstanceOf(DatabaseLimitError);
  expect(ended).toMatchObject({ message: expect.stringMatching(/before its time was over.*57014/) as string });
});

const hasTransactionTimeout = () => major >= 17;

test("a report may take longer than the database's transaction_timeout", async () => {
  if (!hasTransactionTimeout()) return;
  await owner.unsafe("create view slow as select 1 as id, 'slow' || pg_sleep(0.6)::text as name");
  await owner.unsafe(`alter database "${clone.name}" set transaction_timeout to '500ms'`);
  try {
    expect((await read("slow")).trim()).toBe("slow");
  } finally {
    await owner.unsafe(`alter database "${clone.name}" reset all`);
  }
});

test("an attempt ended by transaction_timeout counts as a failure that names it", async () => {
  if (!hasTransactionTimeout()) return;
  await owner.unsafe(`
    create function shortens() returns text language plpgsql as $$
      begin perform set_config('transaction_timeout', '1ms', true), pg_sleep(1); return 'never'; end $$;
    create view shortened as select 1 as id, shortens() as name`);
  const ended = await read("shortened").catch((error: unknown) => error);
  expect(ended).toBeInstanceOf(DatabaseLimitError);
  expect(ended).toMatchObject({ message: expect.stringMatching(/transaction_timeout.*25P04/) as string });
});

test("an attempt above temp_file_limit counts as a failure and names the setting", async () => {
  await owner.unsafe(
    `create view large as select n as id, repeat('x', 100) || n as name from generate_series(1, 20000) n`,
  );
  await owner.unsafe(`alter database "${clone.name}" set temp_file_limit to '0'`);
  await owner.unsafe(`alter database "${clone.name}" set work_mem to '64kB'`);
  try {
    await expect(read("large")).rejects.toMatchObject({
      name: "DatabaseLimitError",
      message: expect.stringMatching(/temp_file_limit.*53400/) as string,
    });
  } finally {
    await owner.unsafe(`alter database "${clone.name}" reset all`);
  }
});
