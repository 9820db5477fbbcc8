import { z } from "zod";
import type { RecordInputRules } from "../record/collection-input.ts";
import { defineRecord } from "../record/define-record.ts";
import { createCsvCellReader } from "../record/csv-cell-reader.ts";
import {
  sameSchemaKind,
  host,
  id,
  integer,
  maxPostgresInteger,
  patternKind,
  port,
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
  type InputOf,
  type RecordOf,
} from "../record/field.ts";
import { toRuleMeta } from "../record/field-rule.ts";
import { choiceField } from "./inventory-choice-schemas.ts";
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
import { countryCodeTextForm, proxyNameTextForm, proxyNamePattern } from "./text-forms.ts";

const emailRule = "must be an e-mail address of at most 254 characters";
const emailKind = { given: z.email(emailRule).max(254, emailRule).meta(toRuleMeta(emailRule)), answer: z.string() };

const tagsRule = "must be a list of at most 20 different tags";
const tagsKind = {
  given: z
    .array(text(63).given, tagsRule)
    .max(20, tagsRule)
    .refine((given) => new Set(given).size === given.length, tagsRule)
    .meta({ ...toRuleMeta(tagsRule), uniqueItems: true }),
  answer: z.array(z.string()),
};

const countryRule = `must be ${countryCodeTextForm.rule}`;
const { given: countryPattern, answer: countryAnswer } = patternKind(/^[A-Z]{2}$/, countryRule);
const countryKind = {
  given: countryPattern.refine((code) => countryCodeTextForm.normalise(code) !== null, countryRule),
  answer: countryAnswer,
};

/** Operators disable a proxy deliberately, so DISABLED is not a warning. */
export const adminStateTones = { MAINTENANCE: "warn", DRAINING: "warn", DISABLED: "muted", ENABLED: "good" } as const;
export const healthTones = { DOWN: "bad", DEGRADED: "warn", UNKNOWN: "muted", UP: "good" } as const;

export const proxyFields = {
  id: serverSetField(id(), { about: "ID of the proxy, which the service sets." }),
  name: required(patternKind(proxyNamePattern, `must be ${proxyNameTextForm.rule}`), {
    about: "Name of the proxy, unique among undeleted proxies.",
  }),
  description: optionalField(text(2000, { multiline: true, minLength: 0 }), "", {
    about: "Notes for people; may have several lines.",
  }),
  ownerTeam: optionalNullableField(text(100), { title: "Owner", about: "Team that runs the proxy." }),
  contactEmail: optionalNullableField(emailKind, { about: "E-mail address of the team that runs the proxy." }),
  tags: optionalField(tagsKind, [], { about: "Labels of your choice, each listed once." }),
  kind: required(sameSchemaKind(choiceField(proxyKinds)), { titles: proxyKindTitles, meanings: proxyKindMeanings }),
  software: optionalField(sameSchemaKind(choiceField(proxySoftwares)), "OTHER", { titles: proxySoftwareTitles }),
  softwareVersion: optionalNullableField(text(64), {
    title: "Version",
    about: "Version of the software, as the software states it.",
  }),
  address: required(host(), {
    about: "Address on which the proxy listens: a host name in A-label form, an IPv4 or an IPv6 address.",
  }),
  port: required(port(), { about: "Port on which the proxy listens." }),
  protocol: required(sameSchemaKind(choiceField(proxyProtocols))),
  region: optionalNullableField(text(63), { about: "Location of the proxy, in the operators' own words." }),
  countryCode: optionalNullableField(countryKind, {
    title: "Country",
    about: "Country of the proxy, as an ISO 3166-1 alpha-2 code.",
  }),
  environment: optionalField(sameSchemaKind(choiceField(environments)), "PROD", {
    titles: environmentTitles,
    tones: { STAGING: "muted", DEV: "muted" },
  }),
  adminState: optionalField(sameSchemaKind(choiceField(adminStates)), "ENABLED", {
    titles: adminStateTitles,
    tones: adminStateTones,
  }),
  health: observedField(
    optionalField(sameSchemaKind(choiceField(healths)), "UNKNOWN", {
      titles: healthTitles,
      meanings: healthMeanings,
      tones: healthTones,
    }),
  ),
  lastCheckedAt: observedField(
    optionalNullableField(time(), {
      title: "Last checked",
      about: "When a probe last checked the proxy; null before the first check.",
    }),
  ),
  latencyMsP95: observedField(
    optionalNullableField(integer(0, maxPostgresInteger), {
      title: "p95 latency (ms)",
      about: "95th percentile of the proxy's latency in milliseconds, as a probe measured it.",
    }),
  ),
  maxConnections: optionalNullableField(integer(1, maxPostgresInteger), {
    about: "Highest number of concurrent connections; null if it is unknown.",
  }),
  createdAt: serverSetField(time(), { about: "When the proxy was registered." }),
  updatedAt: serverSetField(time(), { about: "When the record last changed: its configuration or an observed field." }),
};
const proxyRecord = defineRecord({ id: "Proxy", description: "One proxy of the inventory." }, proxyFields);

export type Proxy = RecordOf<typeof proxyFields>;

export type ProxyInput = InputOf<typeof proxyFields>;

/** Schema of a proxy in responses. */
export const proxyResourceSchema = proxyRecord.answer;

export const proxyInputSchema = proxyRecord.input;

export const proxyInputRules: RecordInputRules<ProxyInput> = proxyRecord.rules;

export const proxyFieldDefaults = selectFieldDefaults(proxyFields);

export const proxyCsvCellReader = createCsvCellReader(proxyFields);
