import { z } from "zod";
import { ruleErrorOption, toRuleMeta } from "./field-rule.ts";
import { normaliseHost } from "../query/hostname.ts";
import { createTextRule } from "../query/text-rule.ts";
import { normaliseTimestamp, timestampRule } from "../query/timestamp.ts";

export const maxPostgresInteger = 2_147_483_647;

export function textField(maxLength: number, options: { multiline?: boolean; minLength?: number } = {}) {
  const { words, pattern, read } = createTextRule(maxLength, options);
  const must = `must be ${words}`;
  return z
    .string(ruleErrorOption(must))
    .overwrite((text) => text.normalize("NFC"))
    .refine((text) => read(text) !== null, must)
    .meta({ ...toRuleMeta(must), minLength: options.minLength ?? 1, maxLength, pattern });
}

export function patternField(pattern: RegExp, must: string) {
  return z.string(ruleErrorOption(must)).regex(pattern, must).meta(toRuleMeta(must));
}

export function booleanField() {
  const must = "must be true or false";
  return z.boolean(ruleErrorOption(must)).meta(toRuleMeta(must));
}

export function integerField(min: number, max: number) {
  const must = `must be an integer from ${min} to ${max}`;
  return z.number(ruleErrorOption(must)).int(must).min(min, must).max(max, must).meta(toRuleMeta(must));
}

/** Returns the schema of a share from 0 to 1. The database stores six decimal places. A value with more is refused and not rounded. */
export function fractionField() {
  const must = "must be a number from 0 to 1 with at most six decimal places";
  return z
    .number(ruleErrorOption(must))
    .min(0, must)
    .max(1, must)
    .refine((share) => Math.round(share * 1e6) / 1e6 === share, must)
    .meta(toRuleMeta(must));
}

export function timestampField() {
  const must = `must be ${timestampRule}`;
  return z
    .string(ruleErrorOption(must))
    .meta({ ...toRuleMeta(must), format: "date-time" })
    .transform((text, context) => {
      const normal = normaliseTimestamp(text);
      if (normal !== null) return new Date(normal);
      context.addIssue({ code: "custom", message: must });
      return z.NEVER;
    });
}

export function hostField() {
  const must = "must be a host name, an IPv4 address or an IPv6 address";
  return z
    .string(ruleErrorOption(must))
    .meta({ ...toRuleMeta(must), minLength: 1, maxLength: 253 })
    .transform((text, context) => {
      const host = normaliseHost(text);
      if (host !== null) return host;
      context.addIssue({ code: "custom", message: must });
      return z.NEVER;
    });
}
