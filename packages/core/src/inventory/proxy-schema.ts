import { z } from "zod";
import { choiceField } from "./inventory-choices.ts";
import {
  hostField,
  integerField,
  maxInteger,
  patternField,
  textField,
  timestampField,
} from "../record/collection-fields.ts";
import { describe } from "../record/field-rule.ts";
import type { InputRules } from "../record/collection-input.ts";
import { countryCode, proxyName, proxyNamePattern } from "./text-forms.ts";
import { adminStates, environments, healths, proxyKinds, proxyProtocols, proxySoftwares } from "./proxy.ts";

const emailRule = "must be an e-mail address of at most 254 characters";
const tagsRule = "must be a list of at most 20 different tags";

/** What a caller writes of a proxy, at creation and as a complete replacement. docs/contract.md §1.3. Fields that the server owns are not among it. */
export const proxyInputSchema = z.strictObject({
  name: patternField(proxyNamePattern, `must be ${proxyName.rule}`),
  description: textField(2000, { multiline: true, minLength: 0 }).default(""),
  ownerTeam: textField(100).nullable().default(null),
  contactEmail: z.email(emailRule).max(254, emailRule).meta(describe(emailRule)).nullable().default(null),
  tags: z
    .array(textField(63), tagsRule)
    .max(20, tagsRule)
    .refine((tags) => new Set(tags).size === tags.length, tagsRule)
    .meta({ ...describe(tagsRule), uniqueItems: true })
    .default([]),
  kind: choiceField(proxyKinds),
  software: choiceField(proxySoftwares).default("OTHER"),
  softwareVersion: textField(64).nullable().default(null),
  address: hostField(),
  port: integerField(1, 65_535),
  protocol: choiceField(proxyProtocols),
  region: textField(63).nullable().default(null),
  countryCode: patternField(/^[A-Z]{2}$/, `must be ${countryCode.rule}`)
    .refine((code) => countryCode.normalise(code) !== null, `must be ${countryCode.rule}`)
    .nullable()
    .default(null),
  environment: choiceField(environments).default("PROD"),
  adminState: choiceField(adminStates).default("ENABLED"),
  health: choiceField(healths).default("UNKNOWN"),
  lastCheckedAt: timestampField().nullable().default(null),
  latencyMsP95: integerField(0, maxInteger).nullable().default(null),
  maxConnections: integerField(1, maxInteger).nullable().default(null),
});

/** A proxy without what the server adds to it: id and times. */
export type ProxyInput = z.output<typeof proxyInputSchema>;

/** How proxies are written. */
export const proxyRules: InputRules<ProxyInput> = {
  schema: proxyInputSchema,
  fields: Object.keys(proxyInputSchema.shape),
  serverFields: ["id", "createdAt", "updatedAt"],
  observedFields: ["health", "lastCheckedAt", "latencyMsP95"] satisfies (keyof ProxyInput)[],
};
