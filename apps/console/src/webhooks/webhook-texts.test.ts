import { webhookEventTypes } from "@reports/client";
import { expect, test } from "vitest";
import { events, eventText } from "./webhook-texts.ts";

test("the form of a webhook offers every event that the client knows", () => {
  expect(events.map(({ value }) => value)).toEqual(webhookEventTypes);
});

test("an event has a label, also without words of its own", () => {
  expect(["report.succeeded", "report.expired", "schedule.resumed"].map(eventText)).toEqual([
    "Report succeeded",
    "File expired",
    "Schedule resumed",
  ]);
});
