import { z } from "zod";
import { defineEndpoint, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";

const dayMs = 86_400_000;
/** Days until security.txt expires. RFC 9116 §2.5.5 recommends less than a year. A short time shows sooner that a copy is outdated. */
const expiryDays = 30;

export const securityContactSettings = {
  securityContact: {
    name: "SECURITY_CONTACT",
    schema: z
      .url({ protocol: /^(?:mailto|https)$/, error: "must be a mailto: or https: address" })
      .refine((url) => /^[\x21-\x7e]+$/.test(url), "must be printable ASCII"),
    optional: true,
    description:
      "Address for reports of vulnerabilities, such as mailto:security@example.com or https://example.com/report. The API shows it at /.well-known/security.txt (RFC 9116). Unset: that path does not exist.",
  },
} as const;

export function securityContactEndpoint(contact: string, now: () => number = Date.now): Endpoint {
  return defineEndpoint({
    method: "GET",
    path: "/.well-known/security.txt",
    operationId: "securityContact",
    summary: "Where to report a vulnerability",
    description: "The contact of this deployment, by RFC 9116.",
    tag: openApiTags.description,
    access: { kind: "public" },
    produces: ["text/plain"],
    responses: {
      200: {
        kind: "text",
        description: "The contact, and the time until which it is valid.",
        mediaTypes: ["text/plain"],
        headers: { "Cache-Control": "For a day." },
      },
    },
    async handle() {
      // The expiry is rounded down to whole days, so that all instances return the same time.
      const expires = new Date((Math.floor(now() / dayMs) + expiryDays) * dayMs).toISOString();
      const text = `Contact: ${contact}\nExpires: ${expires}\n`;
      const headers = { "Cache-Control": "public, max-age=86400" };
      return { status: 200, headers, body: { kind: "text", contentType: "text/plain; charset=utf-8", text } };
    },
  });
}
