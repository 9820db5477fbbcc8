import { randomUUID } from "node:crypto";
import type { NewReport } from "@reports/core/report";

export function makeNewReport(changes: Partial<NewReport> = {}): NewReport {
  const id = randomUUID();
  return {
    id,
    reportType: "PROXY",
    definitionVersion: 1,
    title: "Proxies",
    searchParam: {},
    searchParamGiven: {},
    options: {
      format: "csv",
      csvBom: true,
      compression: "none",
      columns: ["name"],
      sort: ["name"],
      groupBy: null,
      timezone: "UTC",
      locale: "en",
      language: "en",
      paper: "A4",
      orientation: "auto",
      accessible: null,
      keepRows: false,
    },
    requestedBy: `basic:${id}`,
    maxFailures: 3,
    traceparent: null,
    coalesceKey: null,
    requiredAuthority: null,
    ...changes,
  };
}
