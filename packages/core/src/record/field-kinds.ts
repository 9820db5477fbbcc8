import { z } from "zod";
import { ruleErrorOption, toRuleMeta } from "./field-rule.ts";
import { normaliseHost } from "../query/hostname.ts";
import { idField } from "../query/id-field.ts";
import { createTextRule } from "../query/text-rule.ts";
import { normaliseTimestamp, timestampRule } from "../query/timestamp.ts";
import { timezoneField } from "../query/timezone-field.ts";
import type { FieldKind } from "./field.ts";

export const maxPostgresInteger = 2_147_483_647;

export function text(maxLength: number, options: { multiline?: boolean; minLength?: number } = {}) {
  const { words, pattern, read } = createTextRule(maxLength, options);
  const must = `must be ${words}`;
  const given = z
    .string(ruleErrorOption(must))
    .overwrite((value) => value.normalize("NFC"))
    .refine((value) => read(value) !== null, must)
    .meta({ ...toRuleMeta(must), minLength: options.minLength ?? 1, maxLength, pattern });
  return { given, answer: z.string() };
}

export function patternKind(pattern: RegExp, must: string) {
  const given = z.string(ruleErrorOption(must)).regex(pattern, must).meta(toRuleMeta(must));
  return { given, answer: z.string() };
}

export function host() {
  const must = "must be a host name, an IPv4 address or an IPv6 address";
  return { given: convertedText(must, { minLength: 1, maxLength: 253 }, normaliseHost), answer: z.string() };
}

export function port() {
  return { given: integer(1, 65_535).given, answer: z.int().min(1).max(65_535) };
}

export function booleanKind() {
  const must = "must be true or false";
  return { given: z.boolean(ruleErrorOption(must)).meta(toRuleMeta(must)), answer: z.boolean() };
}

/** A share from 0 to 1. The database stores six decimal places. A value with more is refused and not rounded. */
export function fractionKind() {
  const must = "must be a number from 0 to 1 with at most six decimal places";
  const given = z
    .number(ruleErrorOption(must))
    .min(0, must)
    .max(1, must)
    .refine((share) => Math.round(share * 1e6) / 1e6 === share, must)
    .meta(toRuleMeta(must));
  return { given, answer: z.number().min(0).max(1) };
}

/** An integer from `min` to `max`. Responses declare no maximum, so that a later version can raise it. */
export function integer(min: number, max: number) {
  const must = `must be an integer from ${min} to ${max}`;
  const given = z.number(ruleErrorOption(must)).int(must).min(min, must).max(max, must).meta(toRuleMeta(must));
  return { given, answer: z.int().min(min) };
}

export function time() {
  const read = (value: string): Date | null => {
    const normal = normaliseTimestamp(value);
    return normal === null ? null : new Date(normal);
  };
  return { given: convertedText(`must be ${timestampRule}`, { format: "date-time" }, read), answer: z.iso.datetime() };
}

export function timezone() {
  return { given: timezoneField(), answer: z.string() };
}

export function id() {
  return sameSchemaKind(idField());
}

export function sameSchemaKind<S extends z.ZodType>(schema: S): FieldKind<S, S> {
  return { given: schema, answer: schema };
}

function convertedText<Value>(
  must: string,
  keywords: Readonly<Record<string, unknown>>,
  read: (value: string) => Value | null,
) {
  return z
    .string(ruleErrorOption(must))
    .meta({ ...toRuleMeta(must), ...keywords })
    .transform((given, context): Value => {
      const value = read(given);
      if (value !== null) return value;
      context.addIssue(must);
      return z.NEVER;
    });
}
