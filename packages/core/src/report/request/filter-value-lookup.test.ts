import { expect, test } from "vitest";
import { StoreUnavailableError } from "../../base/errors.ts";
import { defineReportTypes } from "../types/define-report-types.ts";
import { createFilterValueCache, refuseUnknownValues } from "./filter-value-lookup.ts";
import type { FilterChoice } from "./unknown-filter-value.ts";

const { definition } = defineReportTypes([
  {
    authority: "A",
    definition: {
      type: "STAY",
      version: 1,
      title: "Stays",
      columns: [{ key: "ward", title: "Ward", kind: "text" }],
      filters: [
        {
          name: "ward",
          operator: "in",
          value: "text",
          columns: ["ward"],
          valuesFrom: { view: "wards", column: "code", title: "name" },
          description: "Wards.",
        },
      ],
      rows: { kind: "view", view: "stays", id: "ward", columns: { ward: { column: "ward", type: "text" } } },
    },
  },
]).reportTypes[0]!;
const ward = definition.filters[0]!;
const { signal } = new AbortController();
const minute = 60_000;
const where = { readFrom: "body", failure: "The report cannot be started" } as const;

function setUp(first: readonly string[] | Error = ["W1", "W2"]) {
  const state = { source: first, nowMs: 0, reads: 0 };
  const values = createFilterValueCache(
    async () => {
      state.reads++;
      await Promise.resolve();
      if (state.source instanceof Error) throw state.source;
      return state.source.map((value): FilterChoice => ({ value, title: `Ward ${value}` }));
    },
    { waitMs: 60_000, nowMs: () => state.nowMs },
  );
  return {
    state,
    values,
    list: async () => (await values.list(definition, ward, signal)).map(({ value }) => value),
    start: async (...wards: string[]) =>
      refuseUnknownValues(values, { definition, searchParam: { ward: wards } }, where),
  };
}
const down = new StoreUnavailableError("The source is down.");

test("concurrent callers share one read of a filter's values, cached for five minutes", async () => {
  const { state, list } = setUp();
  expect(await Promise.all([list(), list(), list()])).toEqual([
    ["W1", "W2"],
    ["W1", "W2"],
    ["W1", "W2"],
  ]);
  state.nowMs = 5 * minute - 1;
  await list();
  expect(state.reads).toBe(1);
});

test("filter values older than five minutes are returned while they are read again", async () => {
  const { state, list } = setUp();
  await list();
  state.source = ["W3"];
  state.nowMs = 5 * minute;
  expect(await list()).toEqual(["W1", "W2"]);
  await expect.poll(list).toEqual(["W3"]);
  expect(state.reads).toBe(2);
});

test("a start accepts known filter values and refuses an unknown one with a suggestion", async () => {
  const { start } = setUp(["CARDIOLOGY", "SURGERY"]);
  await start("CARDIOLOGY", "SURGERY");
  await expect(start("SURGERY", "CARDIOLGY")).rejects.toMatchObject({
    kind: "invalid",
    issues: [
      {
        pointer: "/searchParam/ward",
        code: "unknown_value",
        message: expect.stringContaining('Did you mean "CARDIOLOGY" (Ward CARDIOLOGY)?'),
      },
    ],
  });
});

test("a start refuses a filter value's title and suggests the value with that title", async () => {
  const { start } = setUp(Array.from({ length: 12 }, (_, at) => `W${at + 1}`));
  const listed = Array.from({ length: 10 }, (_, at) => `"W${at + 1}" (Ward W${at + 1})`).join(", ");
  const more = `Allowed: ${listed} and 2 more, which /v1/report-types/STAY/filters/ward/values lists.`;
  const problems = ["ward W11", "Wrad W12", "Ward"].map(async (given) => start(given).catch(String));
  expect(await Promise.all(problems)).toEqual([
    expect.stringContaining(`ward has no value "ward W11". Did you mean "W11" (Ward W11)? ${more}`),
    expect.stringContaining(`ward has no value "Wrad W12". Did you mean "W12" (Ward W12)? ${more}`),
    expect.stringContaining(`ward has no value "Ward". Did you mean "W1" (Ward W1)? ${more}`),
  ]);
});

test("an unknown filter value gets a short message, even if allowed values are long", async () => {
  await expect(setUp([]).start("W1")).rejects.toThrow('ward has no value "W1". The filter has no values now.');
  const long = Array.from({ length: 1_000 }, (_, at) => `${at}`.padStart(255, '"'));
  const refusal: unknown = await setUp(long).start("?".repeat(255)).catch(String);
  expect(String(refusal).length).toBeLessThan(2_500);
});

test("a start accepts the default of a filter, although its data lacks it", async () => {
  const { state, values } = setUp(["W1"]);
  const withDefault = { ...definition, filters: [{ ...ward, default: ["W9"] }] };
  const refuse = async (...wards: string[]) =>
    refuseUnknownValues(values, { definition: withDefault, searchParam: { ward: wards } }, where);
  await refuse("W9");
  expect(state.reads).toBe(0);
  await expect(refuse("W8", "W9")).rejects.toThrow('"W8"');
});

test("only the first two of 60 unknown filter values get a suggestion", async () => {
  const { list, start } = setUp(Array.from({ length: 1_000 }, (_, at) => `${at}`.padStart(60, "A")));
  await list();
  const refusal: unknown = await start(...Array.from({ length: 60 }, (_, at) => `${at}`.padStart(60, "AAB"))).catch(
    (error: unknown) => error,
  );
  expect(refusal).toMatchObject({ message: expect.stringMatching(/and 4\d more\.$/) });
  expect(String(refusal).match(/Did you mean/g)).toHaveLength(2);
});

test("unknown filter values cause at most one read of the source per 30 seconds", async () => {
  const { state, list, start } = setUp();
  await list();
  state.nowMs = minute;
  state.source = ["W1", "W2", "W3"];
  await start("W3");
  expect(state.reads).toBe(2);
  for (let at = 0; at < 20; at++) await expect(start(`X${at}`)).rejects.toThrow("ward has no value");
  expect(state.reads).toBe(2);
  state.nowMs += 30_000;
  await expect(start("X")).rejects.toThrow("ward has no value");
  expect(state.reads).toBe(3);
});

test("known filter values are used for a day while their source is down", async () => {
  const { state, list, start } = setUp();
  await list();
  state.source = down;
  state.nowMs = 24 * 60 * minute - 1;
  expect(await list()).toEqual(["W1", "W2"]);
  await expect(start("X")).rejects.toThrow("ward has no value");
  state.nowMs++;
  await expect(list()).rejects.toThrow(StoreUnavailableError);
  await start("X");
});

test("a start accepts every filter value until the allowed values can be read", async () => {
  const { state, list, start } = setUp(down);
  await expect(list()).rejects.toThrow(StoreUnavailableError);
  await start("X");
  await start("Y");
  expect(state.reads).toBe(1);
  state.nowMs = 30_000;
  state.source = ["W1"];
  await expect(start("Y")).rejects.toThrow("ward has no value");
});

test("a start accepts every value if the source does not respond in time", async () => {
  const values = createFilterValueCache(async () => new Promise(() => undefined), { waitMs: 1 });
  const request = { definition, searchParam: { ward: ["X"] } };
  await expect(refuseUnknownValues(values, request, where)).resolves.toBeUndefined();
});

test("a filter with more than 1,000 values lists 1,000 and accepts any value", async () => {
  const { list, start } = setUp(Array.from({ length: 1_001 }, (_, at) => `W${at}`));
  expect(await list()).toHaveLength(1_000);
  await start("W5000");
});
