import { z } from "zod";
import { choiceField } from "./inventory-choices.ts";
import {
  booleanField,
  hostField,
  integerField,
  patternField,
  shareField,
  textField,
  timestampField,
} from "../record/collection-fields.ts";
import { describe } from "../record/field-rule.ts";
import type { InputRules } from "../record/collection-input.ts";
import { findDomainProblems } from "./domain-rules.ts";
import { certKeyTypes, domainStatuses, tlsMinVersions, tlsModes, upstreamSchemes } from "./domain.ts";
import { parseHostname } from "../query/hostname.ts";

const hostnameRule = "must be a host name of at least two labels, such as www.example.org or *.example.org";

const hostnameField = z
  .string({ error: (issue) => (issue.input === undefined ? `is required and ${hostnameRule}` : hostnameRule) })
  .meta({
    description: "Unicode or A-label form; one leading *. is allowed.",
    minLength: 1,
    maxLength: 1024,
  })
  .transform((text, context) => {
    const result = parseHostname(text);
    if (result.ok) return result;
    context.addIssue({ code: "custom", message: `${hostnameRule}; this one ${result.reason}` });
    return z.NEVER;
  });

const fingerprintRule = "must be a SHA-256 fingerprint: 64 hexadecimal digits, with or without colons between pairs";

const fingerprintField = z
  .string(fingerprintRule)
  .regex(/^(?:[0-9A-Fa-f]{64}|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31})$/, fingerprintRule)
  .overwrite((text) => text.replaceAll(":", "").toLowerCase())
  .meta(describe(fingerprintRule));

const domainFields = z.strictObject({
  hostname: hostnameField,
  upstreamScheme: choiceField(upstreamSchemes),
  upstreamHost: hostField(),
  upstreamPort: integerField(1, 65_535),
  tlsMode: choiceField(tlsModes),
  pathPrefix: patternField(
    /^(?=.{1,255}$)\/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/,
    "must be a URL path of 1 to 255 characters beginning with /, other characters percent-encoded",
  ).default("/"),
  status: choiceField(domainStatuses).default("PENDING"),
  tlsMinVersion: choiceField(tlsMinVersions).nullable().default(null),
  certIssuer: textField(200).nullable().default(null),
  certKeyType: choiceField(certKeyTypes).nullable().default(null),
  certNotBefore: timestampField().nullable().default(null),
  certNotAfter: timestampField().nullable().default(null),
  certFingerprintSha256: fingerprintField.nullable().default(null),
  httpsForced: booleanField().default(false),
  hstsEnabled: booleanField().default(false),
  http2Enabled: booleanField().default(false),
  requests24h: integerField(0, Number.MAX_SAFE_INTEGER).nullable().default(null),
  bytesOut24h: integerField(0, Number.MAX_SAFE_INTEGER).nullable().default(null),
  errorRate5xx24h: shareField().nullable().default(null),
  lastCheckedAt: timestampField().nullable().default(null),
});

/** What a caller writes of a domain, at creation and as a complete replacement. docs/contract.md §1.4. Fields that the server owns are not among it. */
export const domainInputSchema = domainFields
  .superRefine(
    (fields, context) => {
      for (const { field, code, message } of findDomainProblems(fields)) {
        context.addIssue({ code: "custom", path: [field], message, params: { code } });
      }
    },
    // Rules across fields are told beside those of single fields, not only after them.
    { when: () => true },
  )
  .transform(({ hostname, tlsMinVersion, ...fields }) => ({
    ...fields,
    hostname: hostname.unicode,
    hostnameAscii: hostname.ascii,
    tlsMinVersion: tlsMinVersion ?? (fields.tlsMode === "ACME" || fields.tlsMode === "CUSTOM" ? "TLS1.2" : null),
  }));

/** A domain without what the server adds to it: id, proxy and times. */
export type DomainInput = z.output<typeof domainInputSchema>;

/** How domains are written. */
export const domainRules: InputRules<DomainInput> = {
  schema: domainInputSchema,
  fields: Object.keys(domainFields.shape),
  serverFields: ["id", "proxyId", "hostnameAscii", "createdAt", "updatedAt"],
  observedFields: ["requests24h", "bytesOut24h", "errorRate5xx24h", "lastCheckedAt"] satisfies (keyof DomainInput)[],
};
