import { scheduleFields } from "@reports/client";
import { expect, test } from "vitest";
import { selectFieldLabel, readFieldValues } from "./field-values.ts";

test("readFieldValues reads each kind of field from a fragment and omits empty fields", () => {
  const fields = {
    note: { kind: "text" },
    seconds: { kind: "integer" },
    isOn: { kind: "flag" },
    keys: { kind: "list" },
    at: { kind: "time" },
    other: { kind: "text" },
  } as const;
  const query = new URLSearchParams("note=One&seconds=60&isOn=true&keys=a,b&at=2026-12-01T08:00:00Z&other=&unknown=1");
  expect(readFieldValues(query, fields)).toEqual({
    note: "One",
    seconds: 60,
    isOn: true,
    keys: ["a", "b"],
    at: "2026-12-01T08:00:00.000Z",
  });
  expect(readFieldValues(new URLSearchParams("seconds=many&at=soon"), fields)).toEqual({ seconds: "many", at: "soon" });
});

test("selectFieldLabel returns the declared title of a field, or the words of its name", () => {
  expect(selectFieldLabel("timezone", scheduleFields.timezone)).toBe("Time zone");
  expect(selectFieldLabel("startsAt", scheduleFields.startsAt)).toBe("Starts at");
});
