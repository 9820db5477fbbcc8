import type { DeliveredEventType } from "./wire/generated/enumerations.ts";

/** The body of a request to a webhook. docs/reference/resources/webhooks.md#events. */
export interface WebhookPayload {
  readonly type: DeliveredEventType;
  /** The time of the event (RFC 3339). */
  readonly timestamp: string;
  /** The data of the event. For a report: `id`, `reportType`, `status`, `revision`, `scheduleId`, `requestId` and `links`. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** A request to a webhook, as its receiver got it. */
export interface ReceivedWebhook {
  /** The raw body, exactly as it was received. A body that was parsed and written again has another signature. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** The headers of the request: `Headers`, or an object with names in any case, as Node.js and most frameworks provide it. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Options of `verifyWebhook`, which checks the signature of a request. */
export interface VerifyOptions {
  /** The secret of the webhook (`whsec_…`), or several secrets during a rotation. */
  readonly secret: string | readonly string[];
  /** The largest allowed difference between the time of the request and `now`, in seconds. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
  /** The time with which the time of the request is compared, for tests. Default: the current time. */
  readonly now?: Date | undefined;
}

/** The error for a request that is forged, changed or too old, or that could not be verified. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  /** `request`: the request is not genuine. `call`: an argument of `verifyWebhook` is invalid, such as a parsed body or a missing secret. */
  readonly fault: "request" | "call";

  constructor(message: string, fault: "request" | "call" = "request", options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/**
 * Verifies the signature of a request (Standard Webhooks v1) and returns its event: `await verifyWebhook({ headers, body }, { secret })`.
 * Rejects only with a WebhookVerificationError. To detect an event that was sent twice, keep the ids (`webhook-id`) of the last day.
 * docs/reference/resources/webhooks.md#signature.
 */
export async function verifyWebhook(request: ReceivedWebhook, options: VerifyOptions): Promise<WebhookPayload> {
  try {
    return await verifyRequest(request, options);
  } catch (cause) {
    if (cause instanceof WebhookVerificationError) throw cause;
    // This error means that an argument has a wrong type, or that the page has no WebCrypto. `cause` is the original error.
    const message = "The request could not be verified. Call verifyWebhook with { headers, body } and { secret }.";
    throw new WebhookVerificationError(message, "call", { cause });
  }
}

async function verifyRequest(
  { body, headers }: ReceivedWebhook,
  { secret, toleranceSeconds = 300, now = new Date() }: VerifyOptions,
): Promise<WebhookPayload> {
  const keys = decodeSecrets(secret);
  const bytes = bytesOfBody(body);
  const seconds = now.getTime() / 1000;
  if (Number.isNaN(seconds)) throw wrongCallError("now is not a valid Date.");
  if (typeof toleranceSeconds !== "number" || !(toleranceSeconds >= 0))
    throw wrongCallError("toleranceSeconds must be a number that is 0 or greater.");
  const [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    readHeader(headers, name),
  ) as [string, string, string];
  const age = Math.abs(seconds - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || age > toleranceSeconds)
    throw new WebhookVerificationError("The request is too old, or from the future.");
  const signed = concatBytes(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const signatures = signature
    .split(" ")
    .flatMap((each) => (each.startsWith("v1,") ? [decodeBase64(each.slice(3))] : []));
  for (const key of keys) {
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["verify"]);
    for (const given of signatures) {
      if (given !== null && (await crypto.subtle.verify("HMAC", imported, given, signed))) return parseEvent(bytes);
    }
  }
  throw new WebhookVerificationError("No signature of the request was made with the secret.");
}

function decodeSecrets(secret: string | readonly string[]): readonly Uint8Array<ArrayBuffer>[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0) throw wrongCallError("secret is an empty list.");
  return secrets.map((each) => {
    const key = typeof each === "string" ? decodeBase64(each.replace(/^whsec_/, "")) : null;
    // The error message does not contain the secret.
    if (key === null || key.length === 0)
      throw wrongCallError(`secret must be whsec_ followed by base64, and is ${describeValue(each)}.`);
    return key;
  });
}

function bytesOfBody(body: ReceivedWebhook["body"]): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  // `instanceof` would fail for bytes of another realm, as in test runners.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === "[object ArrayBuffer]") return new Uint8Array(body);
  throw wrongCallError(
    `body must be the raw body, a string or bytes, and is ${describeValue(body)}. Read it before a framework parses it as JSON.`,
  );
}

function readHeader(headers: ReceivedWebhook["headers"], name: string): string {
  // `instanceof` would fail for `Headers` of another realm or library.
  const values: readonly unknown[] =
    typeof headers.get === "function"
      ? [(headers as Headers).get(name)]
      : Object.entries(headers).flatMap(([own, value]: [string, unknown]) =>
          own.toLowerCase() === name ? ([value].flat() as readonly unknown[]) : [],
        );
  const [value, ...others] = values.filter((each) => each !== undefined && each !== null);
  if (others.length > 0) throw new WebhookVerificationError(`The header ${name} is repeated.`);
  if (typeof value !== "string" || value === "") throw new WebhookVerificationError(`The header ${name} is missing.`);
  return value;
}

function parseEvent(bytes: Uint8Array): WebhookPayload {
  try {
    const event = JSON.parse(new TextDecoder().decode(bytes)) as Partial<WebhookPayload> | null;
    if (typeof event?.type === "string") return event as WebhookPayload;
  } catch {
    // A body that is not JSON gets the error below.
  }
  throw new WebhookVerificationError("The body is signed with the secret, and is not an event.");
}

function describeValue(value: unknown): string {
  if (value === undefined || value === null || value === "") return value === "" ? "empty" : `${value}`;
  if (Array.isArray(value)) return "an array";
  return typeof value === "string" ? "another text" : `of the type ${typeof value}`;
}

function wrongCallError(message: string): WebhookVerificationError {
  return new WebhookVerificationError(message, "call");
}

function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** Returns the bytes of a base64 text, or null for another text. */
function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
