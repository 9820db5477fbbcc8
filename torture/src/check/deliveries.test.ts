import { expect, it } from "vitest";
import { checkWebhookDeliveries, type SeenDelivery, type WebhookEvidence } from "./deliveries.ts";

const end = { reportId: "a", type: "report.succeeded" };
const good: SeenDelivery = { ...end, to: "good", eventId: "e", status: "DELIVERED", error: null, seconds: 1 };
const refused: SeenDelivery = {
  ...good,
  to: "forbidden",
  status: "PENDING",
  error: "ADDRESS_FORBIDDEN",
  seconds: null,
};
const request = { by: "good", eventId: "e", body: "{}", problem: null, at: 0, signedAt: 0 } as const;
const sound: WebhookEvidence = {
  transitions: [end],
  deliveries: [good, refused],
  received: [request],
  forbiddenConnections: 0,
};
const check = (changes: Partial<WebhookEvidence>) =>
  checkWebhookDeliveries(["good", "forbidden"], { ...sound, ...changes }).violations;

it("checkWebhookDeliveries reports nothing if the good receiver got the end of every report", () => {
  expect(check({})).toEqual([]);
  expect(check({ received: [request, request] })).toEqual([]);
});

it.each<[string, Partial<WebhookEvidence>]>([
  ["an end that was queued for no webhook", { deliveries: [] }],
  ["an end that was queued twice", { deliveries: [good, { ...good, eventId: "f" }, refused] }],
  ["a delivery of an end that did not happen", { transitions: [] }],
  ["a pending delivery to the good receiver", { deliveries: [{ ...good, status: "PENDING" }, refused] }],
  ["a delivery that the good receiver did not get", { received: [] }],
  ["a wrong signature", { received: [request, { ...request, problem: "No matching signature found" }] }],
  ["a connection to a forbidden address", { forbiddenConnections: 1 }],
  ["a forbidden address that was not refused", { deliveries: [good, { ...refused, error: "TIMED_OUT" }] }],
  ["a slow delivery to the good receiver", { deliveries: [{ ...good, seconds: 40 }, refused] }],
])("checkWebhookDeliveries reports %s", (_, changes) => {
  expect(check(changes)).not.toEqual([]);
});
