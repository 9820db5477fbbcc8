import { isDeepStrictEqual } from "node:util";
import {
  domainFieldDefaults,
  domainsCollection,
  proxiesCollection,
  proxyFieldDefaults,
  type domainInputSchema,
  type proxyInputSchema,
} from "@reports/core/inventory";
import type { CollectionDefinition, RecordInputRules } from "@reports/core/record";
import { scheduleRecord } from "@reports/core/schedule";
import { webhookRecord } from "@reports/core/webhook";
import { ownedCollections } from "@reports/db";
import { z } from "zod";

export type FieldValues = Readonly<Record<string, unknown>>;

/** Test values for a field that cannot use the values of the round-trip test for its kind. */
interface FieldException {
  readonly samples?: readonly [unknown, unknown];
  /** Other fields that a request must also change when it sets the field to the second of its two test values. */
  readonly withSecond?: FieldValues;
  /** Other fields that a request must also change when it resets the field to its default. */
  readonly withDefault?: FieldValues;
  /** The default of the field, if it depends on other fields. */
  readonly byDefault?: unknown;
  /** "change": only a PUT or PATCH may contain the field. "creation": only a POST may contain it. */
  readonly setBy?: "change" | "creation";
}
type FieldExceptions<Input> = { readonly [Name in keyof Input]?: FieldException };

interface RoundTripRecord {
  readonly name: string;
  /** Path of the collection. `{proxy}` stands for the ID of a proxy. */
  readonly path: string;
  readonly isOwned: boolean;
  readonly hasPut: boolean;
  readonly rules: Omit<RecordInputRules<unknown>, "schema"> & { readonly schema: z.ZodType };
  readonly answer: z.ZodObject;
  readonly defaults: FieldValues;
  readonly exceptions: Readonly<Record<string, FieldException>>;
  /** Values that the server derives from other fields, for a record that was created with only the required fields. */
  readonly whenLeast?: FieldValues;
}

export interface RoundTripField {
  readonly name: string;
  readonly first: unknown;
  readonly second: unknown;
  readonly withSecond: FieldValues;
  readonly withDefault: FieldValues;
  /** Undefined for a required field. */
  readonly byDefault: unknown;
  readonly setBy: FieldException["setBy"];
}

const fieldsWithoutCertificate = {
  tlsMode: "NONE",
  certIssuer: null,
  certKeyType: null,
  certNotBefore: null,
  certNotAfter: null,
  certFingerprintSha256: null,
};
const certificateException = { withDefault: fieldsWithoutCertificate };
const domainExceptions: FieldExceptions<z.input<typeof domainInputSchema>> = {
  tlsMode: { samples: ["ACME", "NONE"], withSecond: fieldsWithoutCertificate },
  tlsMinVersion: { samples: ["TLS1.3", "TLS1.1"], byDefault: "TLS1.2" },
  certIssuer: certificateException,
  certKeyType: certificateException,
  certNotBefore: certificateException,
  certNotAfter: { ...certificateException, samples: ["2027-01-01T00:00:00.000Z", "2028-01-01T00:00:00.000Z"] },
  certFingerprintSha256: certificateException,
  httpsForced: { withSecond: { hstsEnabled: false }, withDefault: { hstsEnabled: false } },
  hstsEnabled: { samples: [true, false] },
};
const scheduleExceptions: FieldExceptions<z.input<typeof scheduleRecord.input>> = {
  reportType: { samples: ["PROXY", "PROXY_DOMAIN"], setBy: "creation" },
  searchParam: { samples: [{ region: ["eu"] }, { region: ["us"] }] },
  options: { samples: [{ format: "csv" }, { format: "xlsx" }] },
  cron: { samples: ["0 0 1 1 *", "0 0 2 1 *"] },
  startsAt: { samples: ["2030-01-01T00:00:00.000Z", "2031-01-01T00:00:00.000Z"] },
  endsAt: { samples: ["2040-01-01T00:00:00.000Z", "2041-01-01T00:00:00.000Z"] },
  status: { samples: ["ACTIVE", "PAUSED"], setBy: "change" },
};
const webhookExceptions: FieldExceptions<z.input<typeof webhookRecord.input>> = {
  url: { samples: ["https://a.example/hook", "https://b.example/hook"] },
  events: { samples: [["report.failed"], ["report.succeeded", "report.failed"]] },
  reportTypes: { samples: [["PROXY"], ["PROXY_DOMAIN"]] },
  status: { samples: ["ACTIVE", "PAUSED"], setBy: "change" },
};
const proxyExceptions: FieldExceptions<z.input<typeof proxyInputSchema>> = {};

export const roundTripRecords: readonly RoundTripRecord[] = [
  {
    ...recordFromCollection(proxiesCollection),
    path: "/v1/proxies",
    defaults: proxyFieldDefaults,
    exceptions: proxyExceptions,
  },
  {
    ...recordFromCollection(domainsCollection),
    path: "/v1/proxies/{proxy}/domains",
    defaults: domainFieldDefaults,
    exceptions: domainExceptions,
    whenLeast: { tlsMode: "NONE", tlsMinVersion: null },
  },
  {
    ...recordFromDeclaration(scheduleRecord),
    name: "schedules",
    path: "/v1/report-schedules",
    hasPut: true,
    exceptions: scheduleExceptions,
  },
  {
    ...recordFromDeclaration(webhookRecord),
    name: "webhooks",
    path: "/v1/webhooks",
    hasPut: false,
    exceptions: webhookExceptions,
  },
  ...ownedCollections.map(({ definition: { name, record } }) => ({
    ...recordFromDeclaration(record),
    name,
    path: `/v1/${name}`,
    hasPut: true,
    exceptions: {},
  })),
];

type Collection = Pick<CollectionDefinition, "name" | "schema"> & { readonly rules: RoundTripRecord["rules"] | null };
interface RecordDeclaration {
  readonly fields: Readonly<Record<string, { readonly byDefault?: unknown }>>;
  readonly rules: RoundTripRecord["rules"];
  readonly answer: z.ZodObject;
}

function recordFromCollection({ name, rules, schema: answer }: Collection) {
  return { name, isOwned: false, hasPut: true, rules: rules!, answer };
}

function recordFromDeclaration({ fields, rules, answer }: RecordDeclaration) {
  const defaults = Object.entries(fields).filter(([, { byDefault }]) => byDefault !== undefined);
  return {
    isOwned: true,
    rules,
    answer,
    defaults: Object.fromEntries(defaults.map(([name, { byDefault }]) => [name, byDefault])),
  };
}

/** Values to try for a field, as responses contain them. The test uses the first two that the field accepts. */
const candidateValues: readonly unknown[] = [
  "alpha",
  "beta",
  "a.example",
  "b.example",
  "/a",
  "/b",
  "DE",
  "NL",
  "a@a.example",
  "b@b.example",
  "a".repeat(64),
  "b".repeat(64),
  "Europe/Amsterdam",
  "Asia/Kathmandu",
  "2026-01-01T00:00:00.000Z",
  "2026-02-01T00:00:00.000Z",
  true,
  false,
  1,
  2,
  0.25,
  ["alpha"],
  ["beta", "alpha"],
];

export function listRoundTripFields(record: RoundTripRecord): readonly RoundTripField[] {
  return record.rules.fields.map((name) => {
    const { samples, withSecond = {}, withDefault = {}, setBy, byDefault } = record.exceptions[name] ?? {};
    const usual = byDefault ?? record.defaults[name];
    const [first, second] = samples ?? findSamples(record, name, usual);
    return { name, first, second, withSecond, withDefault, byDefault: usual, setBy };
  });
}

function findSamples({ name: record, rules, answer }: RoundTripRecord, name: string, byDefault: unknown) {
  const values = [...listChoices(answer.shape[name]), ...candidateValues].filter((value) => {
    const { error } = rules.schema.safeParse({ [name]: value });
    return error?.issues.every(({ path }) => path[0] !== name) ?? true;
  });
  const first = values.find((value) => !isDeepStrictEqual(value, byDefault));
  const second = values.find((value) => !isDeepStrictEqual(value, first));
  if (first === undefined || second === undefined)
    throw new Error(`${record} have a field ${name} for which the pool lacks two values.`);
  return [first, second] as const;
}

function listChoices(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodNullable) return listChoices(schema.unwrap());
  return schema instanceof z.ZodEnum ? schema.options : [];
}
