import { expect, test } from "vitest";
import { truncateIssues, maxListedIssues } from "../base/truncate-issues.ts";
import type { Filter } from "./filters.ts";
import { describeUnknownName, findNearestName } from "./nearest-name.ts";
import { parseFilters } from "./parse-filters.ts";

function countedNames(names: readonly string[]): { readonly names: string[]; readonly searches: () => number } {
  let searches = 0;
  const counted = [...names];
  counted[Symbol.iterator] = function* () {
    searches += 1;
    yield* names;
  } as (typeof counted)[typeof Symbol.iterator];
  return { names: counted, searches: () => searches };
}

test("findNearestName ignores case, and finds nothing if all names are too different", () => {
  expect(findNearestName("HELTH", ["health", "kind"])).toBe("health");
  expect(findNearestName("x".repeat(100_000), ["health", "kind"])).toBeUndefined();
});

test("findNearestName searches 1,000 short names, but gives up on 1,000 long ones", () => {
  const names = (length: number) => Array.from({ length: 1_000 }, (_, at) => `${at}`.padStart(length, "B"));
  expect(findNearestName("HELTH", [...names(6), "HEALTH"])).toBe("HEALTH");
  const long = (end: string) => end.padStart(60, "A");
  expect(findNearestName(long("HELTH"), [long("HEALTH")])).toBe(long("HEALTH"));
  expect(findNearestName(long("HELTH"), [...names(60), long("HEALTH")])).toBeUndefined();
});

test("describeUnknownName suggests names only for the first 20 mistakes of an input", () => {
  const { names, searches } = countedNames(["health", "kind"]);
  const messages = Array.from({ length: 5_000 }, (_, found) =>
    describeUnknownName("field", `healt${found}`, names, found),
  );
  expect(searches()).toBe(maxListedIssues);
  expect(messages[0]).toContain("Did you mean health?");
  expect(messages[4_999]).toBe('There is no field "healt4999".');
});

test("an error for 1,000 unknown filters lists at most 20 (6 KB), and counts the rest", () => {
  const filter: Filter = { name: "health", operator: "in", value: "text", columns: ["health"], description: "Health." };
  const given = new Map(Array.from({ length: 1_000 }, (_, index) => [`${index}${"\u0001".repeat(500)}`, ["x"]]));
  const result = parseFilters([filter], given, (parameter) => ({ parameter }), { now: new Date(0), timezone: "UTC" });
  if (result.ok) throw new Error("Unknown filters passed.");
  const { listed, more } = truncateIssues(result.issues);
  expect(listed.length).toBeLessThanOrEqual(maxListedIssues);
  expect(listed.length + more).toBe(1_000);
  expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThanOrEqual(6_100);
});
