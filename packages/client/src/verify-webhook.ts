import type { WebhookPayload } from "./wire/webhook.ts";

/** A request that a webhook's receiver was sent. */
export interface ReceivedWebhook {
  /** Exactly as it was received: a body that was parsed and written anew has another signature. */
  readonly body: string | Uint8Array;
  /** With lower-case names, as Node.js gives them, or `Headers`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** How a webhook is verified. */
export interface VerifyOptions {
  /** `whsec_…`; several while one replaces the other. */
  readonly secret: string | readonly string[];
  /** How old or early a request may be, in seconds; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** The current time, for tests. */
  readonly now?: Date | undefined;
}

/** The request does not come from the gateway, is too old, or was changed on its way. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/**
 * Verifies a request by its signature (Standard Webhooks v1) and gives what it says: `await verifyWebhook({ headers, body }, { secret })`,
 * on Node.js and everywhere else. Rejects with WebhookVerificationError. Who may be sent an event twice keeps the ids (`webhook-id`) of the
 * last day. docs/contract.md §9.3.
 */
export async function verifyWebhook(
  { body, headers }: ReceivedWebhook,
  { secret, toleranceSeconds = 300, now = new Date() }: VerifyOptions,
): Promise<WebhookPayload> {
  const header = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== "string" || value === "") throw new WebhookVerificationError(`The header ${name} is missing.`);
    return value;
  };
  const [id, timestamp, signature] = [header("webhook-id"), header("webhook-timestamp"), header("webhook-signature")];
  const age = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || age > toleranceSeconds)
    throw new WebhookVerificationError("The request is too old, or from the future.");
  const text = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), text);
  const signatures = signature.split(" ").flatMap((each) => (each.startsWith("v1,") ? [bytesOf(each.slice(3))] : []));
  for (const each of typeof secret === "string" ? [secret] : secret) {
    const key = bytesOf(each.replace(/^whsec_/, ""));
    if (key === null || key.length === 0) throw new TypeError("secret must be whsec_ followed by base64.");
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["verify"]);
    for (const given of signatures) {
      if (given !== null && (await crypto.subtle.verify("HMAC", imported, given, signed)))
        return JSON.parse(new TextDecoder().decode(text)) as WebhookPayload;
    }
  }
  throw new WebhookVerificationError("No signature of the request was made with the secret.");
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** Null for what is no base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
