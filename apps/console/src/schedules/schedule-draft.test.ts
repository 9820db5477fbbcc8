import type { ReportType } from "@reports/client";
import { expect, test } from "vitest";
import { findWebhookFieldLabel } from "../webhooks/webhook-draft.ts";
import { readScheduleInput, findScheduleFieldLabel } from "./schedule-draft.ts";

test("a URL fragment can set only the fields that the form of a schedule shows", () => {
  const type = { title: "Proxies" } as ReportType;
  const query = new URLSearchParams("status=ENDED&missedWithinSeconds=60&overlap=ALLOW");
  const input = readScheduleInput(query, { reportType: "PROXY" }, type);
  expect(input).toMatchObject({ name: "Proxies", missedWithinSeconds: 60, overlap: "ALLOW" });
  expect(input).not.toHaveProperty("status");
});

test("a field that cannot show its error has no label in the error summary", () => {
  expect(["name", "endsAt", "reportType", "overlap"].map(findScheduleFieldLabel)).toEqual([
    "Name",
    "Ends at",
    undefined,
    undefined,
  ]);
  expect(["url", "of", "secret"].map(findWebhookFieldLabel)).toEqual(["Address", undefined, undefined]);
});
