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

/** Text that a pattern describes. `must` says so in words. */
export function pattern(regex: RegExp, must: string) {
  return { given: patternField(regex, must), answer: z.string() };
}

/** A host name or an IP address. */
export function host() {
  return { given: hostField(), answer: z.string() };
}

/** A TCP port. */
export function port() {
  return { given: integerField(1, 65_535), answer: z.int().min(1).max(65_535) };
}

/** True or false. */
export function flag() {
  return { given: booleanField(), answer: z.boolean() };
}

/** A share from 0 to 1. */
export function share() {
  return { given: shareField(), answer: z.number().min(0).max(1) };
}

/** An integer with both ends inclusive. Responses promise no maximum, so that a later version can raise it. */
export function integer(min: number, max: number) {
  return { given: integerField(min, max), answer: z.int().min(min) };
}

/** An RFC 3339 time, which is a Date in the record. */
export function time() {
  return { given: timestampField(), answer: z.iso.datetime() };
}

/** An IANA time zone. */
export function timezone() {
  return { given: timezoneField(), answer: z.string() };
}

/** An ID, as the service makes it. */
export function id() {
  return sameSchema(idField());
}

/** A value whose one schema serves both directions. */
export function sameSchema<S extends z.ZodType>(schema: S): Kind<S, S> {
  return { given: schema, answer: schema };
}
