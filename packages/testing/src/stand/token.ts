import { createHmac } from "node:crypto";

export const everyAuthority: readonly string[] = [
  "REPORT_PROXY",
  "REPORT_PROXY_DOMAIN",
  "REGISTRY_READ",
  "REGISTRY_WRITE",
  "REPORTS_ADMIN",
  "WEBHOOKS_WRITE",
];

export interface SignTokenOptions {
  readonly secret: string;
  readonly subject: string;
  readonly authorities?: readonly string[];
  /** Seconds until the token expires. Default: one day. */
  readonly lifetimeSeconds?: number;
}

export function signToken({
  secret,
  subject,
  authorities = everyAuthority,
  lifetimeSeconds = 86_400,
}: SignTokenOptions): string {
  const now = Math.floor(Date.now() / 1_000);
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { sub: subject, iat: now, exp: now + lifetimeSeconds, authorities };
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
