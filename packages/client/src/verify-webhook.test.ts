import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "./verify-webhook.ts";

const now = new Date("2026-11-22T12:00:00Z");
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const secret = newSecret();
const body = JSON.stringify({ type: "report.succeeded", timestamp: now.toISOString(), data: { id: "ä" } });

/** What the reference implementation sends. */
function sent(by = secret, at = now, text = body) {
  return {
    body: text,
    headers: {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
      "webhook-signature": new Webhook(by).sign("msg_1", at, text),
    },
  };
}

test("what the reference implementation of Standard Webhooks signs is verified, as text, bytes and Headers", async () => {
  const request = sent();
  const payload = { type: "report.succeeded", timestamp: now.toISOString(), data: { id: "ä" } };
  expect(await verifyWebhook(request, { secret, now })).toEqual(payload);
  const bytes = { body: new TextEncoder().encode(request.body), headers: new Headers(request.headers) };
  expect(await verifyWebhook(bytes, { secret, now })).toEqual(payload);
  expect(await verifyWebhook(request, { secret: [newSecret(), secret], now })).toEqual(payload);
  const both = `${sent(newSecret()).headers["webhook-signature"]} ${request.headers["webhook-signature"]}`;
  const rotated = { ...request, headers: { ...request.headers, "webhook-signature": both } };
  expect(await verifyWebhook(rotated, { secret, now })).toEqual(payload);
});

test.each([
  ["another secret", sent(newSecret())],
  ["another body", { ...sent(), body: body.replace("ä", "b") }],
  ["another id", { ...sent(), headers: { ...sent().headers, "webhook-id": "msg_2" } }],
  ["a request that is too old", sent(secret, new Date(now.getTime() - 301_000))],
  ["a request from the future", sent(secret, new Date(now.getTime() + 301_000))],
  ["a time that is none", { ...sent(), headers: { ...sent().headers, "webhook-timestamp": "soon" } }],
  ["no signature", { ...sent(), headers: { ...sent().headers, "webhook-signature": undefined } }],
  ["another version", { ...sent(), headers: { ...sent().headers, "webhook-signature": "v2,AAAA" } }],
  ["a signature that is none", { ...sent(), headers: { ...sent().headers, "webhook-signature": "v1,%%%" } }],
])("%s is refused", async (_, request) => {
  await expect(verifyWebhook(request, { secret, now })).rejects.toThrow(WebhookVerificationError);
});
