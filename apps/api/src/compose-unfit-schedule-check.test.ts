import { createScheduleCalendar } from "@reports/calendar";
import { builtInReportTypes, createCatalogue } from "@reports/core/report";
import { createSchedule } from "@reports/core/schedule";
import { createDatabase, createListConnectionPool, createScheduleStore, migrateDatabase } from "@reports/db";
import { createMetrics, newId, type Logger } from "@reports/runtime";
import { createTestDatabases } from "@reports/testing";
import { expect, test } from "vitest";
import { composeUnfitScheduleCheck } from "./compose-unfit-schedule-check.ts";

const { cloneDatabase } = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const proxies = builtInReportTypes.find(({ type }) => type === "PROXY")!;
const older = createCatalogue(builtInReportTypes);
const newer = createCatalogue([
  {
    ...proxies,
    version: proxies.version + 1,
    filters: proxies.filters.filter(({ name }) => name !== "health"),
    prominentFilters: [],
  },
]);

test("the API counts schedules that do not fit their report type, and logs them once", async () => {
  await using clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url });
  const lists = createListConnectionPool({ url: clone.url, max: 1, deadlineMs: 3_000 });
  const schedules = createScheduleStore(database, lists);
  const filterValues = { findUnknown: async () => [] };
  const deps = { schedules, calendar: createScheduleCalendar(), catalogue: older, filterValues, minMinutes: 0 };
  const create = async (reportType: string, searchParam: object) =>
    createSchedule(
      { ...deps, newId, now: () => new Date() },
      { principalId: "basic:alice", requiredAuthority: null },
      older.find(reportType)!,
      { name: "Yearly", reportType, searchParam, cron: "0 0 1 1 *" },
    );
  const unfit = await create("PROXY", { health: ["DOWN"] });
  await create("PROXY", {});
  const unknown = await create("PROXY_DOMAIN", {});
  const lines: unknown[] = [];
  const logger = { warn: (message: string, fields: object) => lines.push([message, fields]) } as unknown as Logger;
  const metrics = createMetrics();
  try {
    const check = composeUnfitScheduleCheck({ database, catalogue: newer, metrics, logger });
    for (let round = 0; round < 2; round++) await check();
    const line = "schedules do not fit their report type";
    expect(lines).toHaveLength(2);
    expect(lines).toEqual(
      expect.arrayContaining([
        [line, { reportType: "PROXY", because: "INVALID_PARAMETERS", count: 1, scheduleIds: [unfit.id] }],
        [line, { reportType: "PROXY_DOMAIN", because: "UNKNOWN_REPORT_TYPE", count: 1, scheduleIds: [unknown.id] }],
      ]),
    );
    const { body } = await metrics.render();
    expect(body).toContain('report_schedules_unfit{because="INVALID_PARAMETERS"} 1\n');
    expect(body).toContain('report_schedules_unfit{because="UNKNOWN_REPORT_TYPE"} 1\n');
  } finally {
    await Promise.all([database.close(), lists.close()]);
  }
});
