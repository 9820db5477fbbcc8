import type { Webhook } from "@reports/client";
import { expect, test } from "vitest";
import { describeFieldChanges } from "./edit-record.ts";

test("an edit does not print fields that the service itself has changed", () => {
  const before: Partial<Webhook> = {
    url: "https://a.example",
    lastDeliveredAt: null,
    failingSince: "2026-01-01T00:00:00Z",
    updatedAt: "2026-01-01T00:00:00Z",
  };
  const after: Partial<Webhook> = {
    url: "https://b.example",
    lastDeliveredAt: "2026-01-02T00:00:00Z",
    failingSince: null,
    updatedAt: "2026-01-02T00:00:00Z",
  };
  expect(describeFieldChanges(before, after, { url: "--url" })).toEqual([
    "--url: https://a.example → https://b.example",
  ]);
});
