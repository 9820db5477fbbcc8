import { webhookEventTypes } from "@reports/client";
import { expect, test } from "vitest";
import { eventTypeChoices, formatEventType } from "./webhook-texts.ts";

test("the form of a webhook offers every event that the client knows", () => {
  expect(eventTypeChoices.map(({ value }) => value)).toEqual(webhookEventTypes);
});

test("an event without a special label is labelled by the words of its type", () => {
  expect(["report.succeeded", "report.expired", "schedule.resumed"].map(formatEventType)).toEqual([
    "Report succeeded",
    "File expired",
    "Schedule resumed",
  ]);
});
