import { builtInReportTypes, type ReportTypeDefinition } from "@reports/core/report";
import type { Schedule } from "@reports/core/schedule";
import { expect, test } from "vitest";
import { toScheduleResource, toScheduleValidators } from "./to-schedule-resource.ts";

const proxies = builtInReportTypes.find(({ type }) => type === "PROXY")!;
const renamed: ReportTypeDefinition = {
  ...proxies,
  version: proxies.version + 1,
  filters: proxies.filters.map((filter) =>
    filter.name === "health" ? { ...filter, name: "state", formerly: ["health"] } : filter,
  ),
};
const without = (version: number, ...names: string[]): ReportTypeDefinition => ({
  ...proxies,
  version,
  filters: proxies.filters.filter(({ name }) => !names.includes(name)),
});
const schedule = {
  id: "1",
  revision: 5,
  fires: 2,
  reportType: "PROXY",
  searchParam: { health: ["DOWN"], kind: ["REVERSE"] },
  options: { format: "csv" },
  timezone: "UTC",
  status: "ACTIVE",
  definitionVersion: proxies.version,
  nextFireAt: new Date("2026-11-27T06:00:00Z"),
  updatedAt: new Date("2026-11-26T06:00:00Z"),
  lastFire: null,
} as unknown as Schedule;

test("a schedule's entity tag changes with a type's version that shows it differently", () => {
  const { version } = proxies;
  const definitions = [
    undefined,
    proxies,
    renamed,
    without(version + 2, "health"),
    without(version + 3, "health", "kind"),
    without(version + 10),
  ];
  const shown = definitions.map((definition) => {
    const { searchParam, unfitBecause } = toScheduleResource(schedule, [], { definition, maySeeReport: true });
    return JSON.stringify([searchParam, unfitBecause]);
  });
  expect(new Set(shown).size).toBe(5);
  const validators = definitions.map((definition) => toScheduleValidators(schedule, definition));
  expect(new Set(validators.map(({ etag }) => etag)).size).toBe(definitions.length);
  for (const { etag, partForIfMatch } of validators) expect(partForIfMatch!(etag)).toBe("5");
});
