import { parseFilters, type Filter } from "@reports/core/query";

const candidates = ["edge", "DE", "www.example.org", "192.0.2.1", "someone@example.org", "1", "PROXY", "basic:alice"];

const exampleTime = { now: new Date(0), timezone: "UTC" };

export function findFilterExample(filter: Filter): string | null {
  const isAccepted = (text: string): boolean =>
    parseFilters([filter], new Map([[filter.name, [text]]]), (parameter) => ({ parameter }), exampleTime).ok;
  return listCandidates(filter).find(isAccepted) ?? null;
}

function listCandidates(filter: Filter): readonly string[] {
  switch (filter.value) {
    case "enum":
      return filter.values ?? [];
    case "integer":
      return ["30", String(filter.min ?? 1), String(filter.max ?? 1)];
    case "decimal":
      return ["10.5", String(filter.min ?? 1), String(filter.max ?? 1)];
    case "boolean":
      return ["true"];
    case "timestamp":
      return ["2026-01-31T12:00:00Z"];
    case "date":
      return ["2026-01-31"];
    case "time":
      return ["08:30"];
    case "uuid":
      return ["019a0000-0000-7000-8000-000000000001"];
    case "hostname":
      return ["www.example.org"];
    case "text":
      return candidates;
  }
}
