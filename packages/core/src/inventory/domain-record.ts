import { z } from "zod";
import { parseHostname } from "../query/hostname.ts";
import type { RecordInputRules } from "../record/collection-input.ts";
import { defineRecord } from "../record/define-record.ts";
import { createCsvCellReader } from "../record/csv-cell-reader.ts";
import {
  sameSchemaKind,
  booleanKind,
  host,
  id,
  integer,
  patternKind,
  port,
  fractionKind,
  text,
  time,
} from "../record/field-kinds.ts";
import {
  selectFieldDefaults,
  observedField,
  optionalField,
  optionalNullableField,
  required,
  serverSetField,
  type RecordOf,
} from "../record/field.ts";
import { ruleErrorOption, toRuleMeta } from "../record/field-rule.ts";
import { findDomainRuleViolations } from "./domain-input-rules.ts";
import {
  certKeyTypes,
  certKeyTypeTitles,
  domainStatuses,
  domainStatusTitles,
  tlsMinVersions,
  tlsMinVersionTitles,
  tlsModeMeanings,
  tlsModes,
  tlsModeTitles,
  upstreamSchemes,
} from "./domain.ts";
import { choiceField } from "./inventory-choice-schemas.ts";

const hostnameRule = "must be a host name of at least two labels, such as www.example.org or *.example.org";
/** A request body contains a host name in Unicode or in ASCII. The service stores both forms. */
const hostnameKind = {
  given: z
    .string(ruleErrorOption(hostnameRule))
    .meta({ description: "A body can give the Unicode or the A-label form.", minLength: 1, maxLength: 1024 })
    .transform((given, context) => {
      const result = parseHostname(given);
      if (result.ok) return result;
      context.addIssue({ code: "custom", message: `${hostnameRule}; this one ${result.reason}` });
      return z.NEVER;
    }),
  answer: z.string(),
};

const fingerprintRule = "must be a SHA-256 fingerprint: 64 hexadecimal digits, with or without colons between pairs";
const fingerprintKind = {
  given: z
    .string(fingerprintRule)
    .regex(/^(?:[0-9A-Fa-f]{64}|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31})$/, fingerprintRule)
    .overwrite((given) => given.replaceAll(":", "").toLowerCase())
    .meta(toRuleMeta(fingerprintRule)),
  answer: z.string().regex(/^[0-9a-f]{64}$/),
};

const pathKind = patternKind(
  /^(?=.{1,255}$)\/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/,
  "must be a URL path of 1 to 255 characters beginning with /, other characters percent-encoded",
);
const countKind = integer(0, Number.MAX_SAFE_INTEGER);

export const domainFields = {
  id: serverSetField(id(), { about: "ID of the domain, which the service sets." }),
  proxyId: serverSetField(id(), { about: "The proxy that serves the domain." }),
  hostname: required(hostnameKind, {
    title: "Host name",
    about: "Host name in Unicode. It can begin with a wildcard, as in *.example.org.",
  }),
  hostnameAscii: serverSetField(sameSchemaKind(z.string()), {
    title: "Host name (ASCII)",
    about: "Host name in A-label form, which the service makes from hostname.",
  }),
  pathPrefix: optionalField(pathKind, "/", { title: "Path", about: "Beginning of the paths that the domain covers." }),
  status: optionalField(sameSchemaKind(choiceField(domainStatuses)), "PENDING", {
    titles: domainStatusTitles,
    tones: { FAILED: "bad", SUSPENDED: "warn", PENDING: "muted", ACTIVE: "good" },
  }),
  upstreamScheme: required(sameSchemaKind(choiceField(upstreamSchemes))),
  upstreamHost: required(host(), {
    about: "Host to which the proxy sends requests: a host name in A-label form, an IPv4 or an IPv6 address.",
  }),
  upstreamPort: required(port(), { about: "Port to which the proxy sends requests." }),
  tlsMode: required(sameSchemaKind(choiceField(tlsModes)), {
    title: "TLS",
    titles: tlsModeTitles,
    meanings: tlsModeMeanings,
    tones: { NONE: "bad" },
  }),
  tlsMinVersion: optionalNullableField(sameSchemaKind(choiceField(tlsMinVersions)), {
    title: "Lowest TLS",
    titles: tlsMinVersionTitles,
    tones: { "TLS1.0": "bad", "TLS1.1": "bad" },
  }),
  certIssuer: optionalNullableField(text(200), { title: "Issuer", about: "Issuer of the certificate." }),
  certKeyType: optionalNullableField(sameSchemaKind(choiceField(certKeyTypes)), {
    title: "Key",
    titles: certKeyTypeTitles,
  }),
  certNotBefore: optionalNullableField(time(), { about: "When the certificate becomes valid." }),
  certNotAfter: optionalNullableField(time(), { title: "Certificate ends", about: "When the certificate expires." }),
  certFingerprintSha256: optionalNullableField(fingerprintKind, {
    about: "SHA-256 of the certificate, as 64 hexadecimal digits.",
  }),
  httpsForced: optionalField(booleanKind(), false, {
    title: "HTTPS forced",
    about: "Whether plain HTTP is redirected to HTTPS.",
  }),
  hstsEnabled: optionalField(booleanKind(), false, {
    title: "HSTS",
    about: "Whether Strict-Transport-Security is sent. It can be true only if httpsForced is true.",
  }),
  http2Enabled: optionalField(booleanKind(), false, { title: "HTTP/2", about: "Whether clients can use HTTP/2." }),
  requests24h: observedField(
    optionalNullableField(countKind, {
      title: "Requests 24 h",
      about: "Number of requests in the last 24 hours, as a probe counted them.",
    }),
  ),
  bytesOut24h: observedField(
    optionalNullableField(countKind, {
      title: "Data out 24 h",
      about: "Number of bytes sent to clients in the last 24 hours, as a probe counted them.",
    }),
  ),
  errorRate5xx24h: observedField(
    optionalNullableField(fractionKind(), {
      title: "5xx rate 24 h",
      about: "Share of the requests in the last 24 hours that got a 5xx status, from 0 to 1.",
    }),
  ),
  lastCheckedAt: observedField(
    optionalNullableField(time(), { about: "When a probe last checked the domain; null before the first check." }),
  ),
  createdAt: serverSetField(time(), { about: "When the domain was registered." }),
  updatedAt: serverSetField(time(), { about: "When the record last changed: its configuration or an observed field." }),
};
const schemaTexts = { id: "Domain", description: "One domain that a proxy serves." };
const domainRecord = defineRecord(schemaTexts, domainFields, { requiredFirst: true });

/** A domain. Its five `cert…` fields are set only if `tlsMode` is ACME or CUSTOM. docs/reference/resources/domains.md#fields. */
export interface Domain extends Omit<RecordOf<typeof domainFields>, "hostname"> {
  /** Host name in Unicode, in lower case and without a trailing dot. It may begin with `*.`. */
  readonly hostname: string;
}

/** Schema of a domain in responses. */
export const domainResourceSchema = domainRecord.answer;

export const domainInputSchema = domainRecord.input
  .superRefine(
    (read, context) => {
      for (const { field, code, message } of findDomainRuleViolations(read)) {
        context.addIssue({ code: "custom", path: [field], message, params: { code } });
      }
    },
    // This check runs even if single fields are invalid, so that the response reports all mistakes together.
    { when: () => true },
  )
  .transform(({ hostname: { unicode, ascii }, tlsMinVersion, ...read }) => ({
    ...read,
    hostname: unicode,
    hostnameAscii: ascii,
    tlsMinVersion: tlsMinVersion ?? (read.tlsMode === "ACME" || read.tlsMode === "CUSTOM" ? "TLS1.2" : null),
  }));

export type DomainInput = z.output<typeof domainInputSchema>;

export const domainInputRules: RecordInputRules<DomainInput> = { ...domainRecord.rules, schema: domainInputSchema };

export const domainFieldDefaults = selectFieldDefaults(domainFields);

export const domainCsvCellReader = createCsvCellReader(domainFields);
