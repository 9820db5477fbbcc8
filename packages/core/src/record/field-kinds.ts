import { z } from "zod";
import {
  booleanField,
  hostField,
  integerField,
  patternField,
  shareField,
  textField,
  timestampField,
} from "./collection-fields.ts";
import { timezoneField } from "../query/timezone-field.ts";
import { idField } from "../query/id-field.ts";
import type { Kind } from "./field.ts";

/** Text of one line, or of several with `multiline`. */
export function text(maxLength: number, options: { multiline?: boolean; minLength?: number } = {}) {
  return { given: textField(maxLength, options), answer: z.string() };
}

/** Text that must match a pattern. `must` describes the pattern in words. */
export function pattern(regex: RegExp, must: string) {
  return { given: patternField(regex, must), answer: z.string() };
}

/** A host name or an IP address. */
export function host() {
  return { given: hostField(), answer: z.string() };
}

export function port() {
  return { given: integerField(1, 65_535), answer: z.int().min(1).max(65_535) };
}

export function flag() {
  return { given: booleanField(), answer: z.boolean() };
}

/** A share from 0 to 1. */
export function share() {
  return { given: shareField(), answer: z.number().min(0).max(1) };
}

/** An integer from `min` to `max`. Responses declare no maximum, so that a later version can raise it. */
export function integer(min: number, max: number) {
  return { given: integerField(min, max), answer: z.int().min(min) };
}

/** An RFC 3339 time, which is a Date in the record. */
export function time() {
  return { given: timestampField(), answer: z.iso.datetime() };
}

export function timezone() {
  return { given: timezoneField(), answer: z.string() };
}

/** An ID that the service generates. */
export function id() {
  return sameSchema(idField());
}

/** A kind with the same schema in bodies and responses. */
export function sameSchema<S extends z.ZodType>(schema: S): Kind<S, S> {
  return { given: schema, answer: schema };
}
