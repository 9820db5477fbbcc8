import { expect, test } from "vitest";
import { listUnknownFields } from "./other-fields.ts";

test("a field that the page does not know is shown with a label from its name", () => {
  const record = {
    id: "1",
    name: "edge-1",
    supportNote: "Call the team",
    reviewedAt: "2026-01-31T08:00:00.000Z",
    isPinned: false,
    retries: 12_000,
    teams: ["a", "b"],
  };
  expect(listUnknownFields(record, ["id", "name"])).toEqual([
    { label: "Support note", kind: "text", value: "Call the team" },
    { label: "Reviewed at", kind: "time", value: "2026-01-31T08:00:00.000Z" },
    { label: "Is pinned", kind: "text", value: "No" },
    { label: "Retries", kind: "text", value: "12,000" },
    { label: "Teams", kind: "text", value: "a, b" },
  ]);
});

test("unknown fields that are null, empty or an object are not shown", () => {
  const record = { supportNote: null, remark: "", teams: [], cause: { code: "GONE" }, causes: [{ code: "GONE" }] };
  expect(listUnknownFields(record, [])).toEqual([]);
});
