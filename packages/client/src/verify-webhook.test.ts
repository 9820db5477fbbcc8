import { randomBytes } from "node:crypto";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { verifyWebhook, WebhookVerificationError, type ReceivedWebhook, type VerifyOptions } from "./verify-webhook.ts";

const now = new Date("2026-11-22T12:00:00Z");
const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const secret = newSecret();
const body = JSON.stringify({ type: "report.succeeded", timestamp: now.toISOString(), data: { id: "ä" } });

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

test("verifyWebhook accepts requests signed by the Standard Webhooks reference code", async () => {
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
  ["a request that another secret signed", sent(newSecret())],
  ["a request with another body", { ...sent(), body: body.replace("ä", "b") }],
  ["a request with another id", { ...sent(), headers: { ...sent().headers, "webhook-id": "msg_2" } }],
  ["a request that is too old", sent(secret, new Date(now.getTime() - 301_000))],
  ["a request from the future", sent(secret, new Date(now.getTime() + 301_000))],
  ["a request with an invalid time", { ...sent(), headers: { ...sent().headers, "webhook-timestamp": "soon" } }],
  ["a request without a signature", { ...sent(), headers: { ...sent().headers, "webhook-signature": undefined } }],
  ["a signature of another version", { ...sent(), headers: { ...sent().headers, "webhook-signature": "v2,AAAA" } }],
  ["a signature that is not base64", { ...sent(), headers: { ...sent().headers, "webhook-signature": "v1,%%%" } }],
])("verifyWebhook rejects %s", async (_, request) => {
  await expect(verifyWebhook(request, { secret, now })).rejects.toThrow(WebhookVerificationError);
});

const { headers } = sent();
const mixedCase = { "Webhook-Id": "msg_1", "WEBHOOK-TIMESTAMP": headers["webhook-timestamp"] };
const signature = headers["webhook-signature"];

test.each<[string, object]>([
  ["names in mixed case", { ...mixedCase, "Webhook-Signature": signature }],
  ["values in lists of one", Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))],
  ["Headers of another library", { get: (name: string) => new Headers(headers).get(name) }],
  ["an object without a prototype", Object.assign(Object.create(null) as object, headers)],
  ["a Map", new Map(Object.entries(headers))],
])("verifyWebhook accepts a request whose headers are %s", async (_, given) => {
  const request = { body, headers: given } as ReceivedWebhook;
  expect(await verifyWebhook(request, { secret, now })).toMatchObject({ type: "report.succeeded" });
});

test("verifyWebhook accepts a body that is an ArrayBuffer, even of another realm", async () => {
  const { buffer } = new TextEncoder().encode(body);
  const foreign = runInNewContext("new Uint8Array(bytes).buffer", {
    bytes: [...new Uint8Array(buffer)],
  }) as ArrayBuffer;
  expect(foreign instanceof ArrayBuffer).toBe(false);
  for (const each of [buffer, foreign])
    expect(await verifyWebhook({ body: each, headers }, { secret, now })).toMatchObject({ type: "report.succeeded" });
});

test("verifyWebhook accepts a body that is a Uint8Array of another realm", async () => {
  const bytes = runInNewContext("new Uint8Array(bytes)", { bytes: [...new TextEncoder().encode(body)] }) as Uint8Array;
  expect(bytes instanceof Uint8Array).toBe(false);
  expect(await verifyWebhook({ body: bytes, headers }, { secret, now })).toMatchObject({ type: "report.succeeded" });
});

test.each<[string, object]>([
  ["repeated in a list", { ...headers, "webhook-signature": [signature, signature] }],
  ["repeated in another case", { ...headers, "Webhook-Id": "msg_1" }],
  ["numbers", { ...headers, "webhook-timestamp": Math.floor(now.getTime() / 1000) }],
  ["an empty list", { ...headers, "webhook-id": [] }],
  ["pairs in an array", Object.entries(headers)],
  ["names and values in an array", Object.entries(headers).flat()],
])("verifyWebhook rejects with the fault request if the headers are %s", async (_, given) => {
  const call = verifyWebhook({ body, headers: given } as ReceivedWebhook, { secret, now });
  await expect(call).rejects.toMatchObject({ name: "WebhookVerificationError", fault: "request" });
});

test.each<[string, unknown, unknown]>([
  ["a parsed body", { body: JSON.parse(body), headers }, { secret }],
  ["a body in an array", { body: [body], headers }, { secret }],
  ["a body of another type", { body: 7, headers }, { secret }],
  ["no body", { headers }, { secret }],
  ["no headers", { body }, { secret }],
  ["no request", undefined, { secret }],
  ["no options", { body, headers }, undefined],
  ["no secret", { body, headers }, {}],
  ["null for a secret", { body, headers }, { secret: null }],
  ["an empty secret", { body, headers }, { secret: "" }],
  ["a secret that is not base64", { body, headers }, { secret: "whsec_%%%" }],
  ["an empty list of secrets", { body, headers }, { secret: [] }],
  ["a list with a missing secret", { body, headers }, { secret: [secret, undefined] }],
  ["a number for the time", { body, headers }, { secret, now: now.getTime() }],
  ["null for the time", { body, headers }, { secret, now: null }],
  ["an invalid time", { body, headers }, { secret, now: new Date("soon") }],
  ["a tolerance that is NaN", { body, headers }, { secret, toleranceSeconds: Number.NaN }],
  ["a tolerance of null", { body, headers }, { secret, toleranceSeconds: null }],
  ["a negative tolerance", { body, headers }, { secret, toleranceSeconds: -1 }],
  ["a tolerance that is a text", { body, headers }, { secret, toleranceSeconds: "300" }],
  ["a wrong tolerance, though a header is missing", { body, headers: {} }, { secret, toleranceSeconds: -1 }],
])("verifyWebhook rejects with the fault call for %s", async (_, request, options) => {
  const given = options === undefined ? undefined : { now, ...(options as VerifyOptions) };
  const call = verifyWebhook(request as ReceivedWebhook, given as VerifyOptions);
  const failure: unknown = await call.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(WebhookVerificationError);
  expect(failure).toMatchObject({ fault: "call" });
  expect((failure as Error).message).not.toContain(secret);
});

test("verifyWebhook with the tolerance 0 rejects a request that is two seconds late", async () => {
  const options = { secret, now: new Date(now.getTime() + 2_000), toleranceSeconds: 0 };
  await expect(verifyWebhook(sent(), options)).rejects.toMatchObject({ fault: "request" });
});

test.each(["not JSON", "null", "7", "[]", "{}", '{"type":7}'])(
  "verifyWebhook rejects the signed body %s, which is not an event",
  async (text) => {
    await expect(verifyWebhook(sent(secret, now, text), { secret, now })).rejects.toThrow(WebhookVerificationError);
  },
);

test("verifyWebhook with any arguments returns an event or a WebhookVerificationError", async () => {
  const good = sent();
  const odd = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withTypedArray: true }),
    fc.constantFrom<unknown>(Symbol("s"), () => "x", new Proxy({}, { get: () => fail(), ownKeys: () => fail() })),
  );
  const or = (value: unknown) => fc.oneof({ weight: 2, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: odd });
  const anyHeaders = fc.oneof(
    or(good.headers),
    fc.record({
      "webhook-id": or("msg_1"),
      "Webhook-Timestamp": or(good.headers["webhook-timestamp"]),
      "webhook-signature": or(good.headers["webhook-signature"]),
    }),
  );
  const request = fc.oneof(fc.record({ body: or(good.body), headers: anyHeaders }), odd);
  const options = fc.oneof(
    fc.record({
      secret: fc.oneof(or(secret), fc.array(or(secret))),
      now: or(now),
      toleranceSeconds: or(300),
    }),
    odd,
  );
  let verified = 0;
  await fc.assert(
    fc.asyncProperty(request, options, async (received, how) => {
      const result: unknown = await verifyWebhook(received as ReceivedWebhook, how as VerifyOptions).catch(
        (error: unknown) => error,
      );
      if (result instanceof WebhookVerificationError) return;
      expect(result).toEqual(JSON.parse(good.body));
      verified++;
    }),
    { numRuns: 3_000 },
  );
  expect(verified).toBeGreaterThan(0);
});

function fail(): never {
  throw new Error("This object cannot be looked into.");
}
