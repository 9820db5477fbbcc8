import { z } from "zod";
import { maxInteger, textField } from "../record/collection-fields.ts";
import type { InputRules } from "../record/collection-input.ts";
import { defineRecord } from "../record/define-record.ts";
import { createCsvCellReader } from "../record/csv-cell-reader.ts";
import { sameSchema, host, id, integer, pattern, port, text, time } from "../record/field-kinds.ts";
import {
  selectFieldDefaults,
  observed,
  optional,
  orNull,
  required,
  server,
  type InputOf,
  type RecordOf,
} from "../record/field.ts";
import { describeRule } from "../record/field-rule.ts";
import { choiceField } from "./inventory-choices.ts";
import {
  adminStates,
  adminStateTitles,
  environments,
  environmentTitles,
  healthMeanings,
  healths,
  healthTitles,
  proxyKindMeanings,
  proxyKinds,
  proxyKindTitles,
  proxyProtocols,
  proxySoftwares,
  proxySoftwareTitles,
} from "./proxy.ts";
import { countryCodeForm, proxyNameForm, proxyNamePattern } from "./text-forms.ts";

const emailRule = "must be an e-mail address of at most 254 characters";
const emailKind = { given: z.email(emailRule).max(254, emailRule).meta(describeRule(emailRule)), answer: z.string() };

const tagsRule = "must be a list of at most 20 different tags";
const tagsKind = {
  given: z
    .array(textField(63), tagsRule)
    .max(20, tagsRule)
    .refine((given) => new Set(given).size === given.length, tagsRule)
    .meta({ ...describeRule(tagsRule), uniqueItems: true }),
  answer: z.array(z.string()),
};

const countryRule = `must be ${countryCodeForm.rule}`;
const countryKind = {
  ...pattern(/^[A-Z]{2}$/, countryRule),
  given: pattern(/^[A-Z]{2}$/, countryRule).given.refine(
    (code) => countryCodeForm.normalise(code) !== null,
    countryRule,
  ),
};

/** Operators disable a proxy deliberately, so DISABLED is not a warning. */
export const adminStateTones = { MAINTENANCE: "warn", DRAINING: "warn", DISABLED: "muted", ENABLED: "good" } as const;
export const healthTones = { DOWN: "bad", DEGRADED: "warn", UNKNOWN: "muted", UP: "good" } as const;

export const proxyFields = {
  id: server(id(), { about: "ID of the proxy, which the service sets." }),
  name: required(pattern(proxyNamePattern, `must be ${proxyNameForm.rule}`), {
    about: "Name of the proxy, unique among undeleted proxies.",
  }),
  description: optional(text(2000, { multiline: true, minLength: 0 }), "", {
    about: "Notes for people; may have several lines.",
  }),
  ownerTeam: orNull(text(100), { title: "Owner", about: "Team that runs the proxy." }),
  contactEmail: orNull(emailKind, { about: "E-mail address of the team that runs the proxy." }),
  tags: optional(tagsKind, [], { about: "Labels of your choice, each listed once." }),
  kind: required(sameSchema(choiceField(proxyKinds)), {
    titles: proxyKindTitles,
    meanings: proxyKindMeanings,
  }),
  software: optional(sameSchema(choiceField(proxySoftwares)), "OTHER", { titles: proxySoftwareTitles }),
  softwareVersion: orNull(text(64), { title: "Version", about: "Version of the software, as the software states it." }),
  address: required(host(), {
    about: "Address on which the proxy listens: a host name in A-label form, an IPv4 or an IPv6 address.",
  }),
  port: required(port(), { about: "Port on which the proxy listens." }),
  protocol: required(sameSchema(choiceField(proxyProtocols))),
  region: orNull(text(63), { about: "Location of the proxy, in the operators' own words." }),
  countryCode: orNull(countryKind, { title: "Country", about: "Country of the proxy, as an ISO 3166-1 alpha-2 code." }),
  environment: optional(sameSchema(choiceField(environments)), "PROD", {
    titles: environmentTitles,
    tones: { STAGING: "muted", DEV: "muted" },
  }),
  adminState: optional(sameSchema(choiceField(adminStates)), "ENABLED", {
    titles: adminStateTitles,
    tones: adminStateTones,
  }),
  health: observed(
    optional(sameSchema(choiceField(healths)), "UNKNOWN", {
      titles: healthTitles,
      meanings: healthMeanings,
      tones: healthTones,
    }),
  ),
  lastCheckedAt: observed(
    orNull(time(), {
      title: "Last checked",
      about: "When a probe last checked the proxy; null before the first check.",
    }),
  ),
  latencyMsP95: observed(
    orNull(integer(0, maxInteger), {
      title: "p95 latency (ms)",
      about: "95th percentile of the proxy's latency in milliseconds, as a probe measured it.",
    }),
  ),
  maxConnections: orNull(integer(1, maxInteger), {
    about: "Highest number of concurrent connections; null if it is unknown.",
  }),
  createdAt: server(time(), { about: "When the proxy was registered." }),
  updatedAt: server(time(), { about: "When the record last changed: its configuration or an observed field." }),
};
const proxyRecord = defineRecord({ id: "Proxy", description: "One proxy of the inventory." }, proxyFields);

export type Proxy = RecordOf<typeof proxyFields>;

export type ProxyInput = InputOf<typeof proxyFields>;

/** Schema of a proxy in responses. */
export const proxyResourceSchema = proxyRecord.answer;

export const proxyInputSchema = proxyRecord.input;

export const proxyRules: InputRules<ProxyInput> = proxyRecord.rules;

export const proxyDefaults = selectFieldDefaults(proxyFields);

export const proxyTable = createCsvCellReader(proxyFields);
