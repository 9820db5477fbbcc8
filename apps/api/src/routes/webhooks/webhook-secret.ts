import { randomBytes } from "node:crypto";

/** Returns a new random secret in the format of Standard Webhooks: `whsec_` and the base64 of 32 bytes. */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
