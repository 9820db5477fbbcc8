import { z } from "zod";
import {
  booleanField,
  hostField,
  integerField,
  patternField,
  fractionField,
  textField,
  timestampField,
} from "./collection-fields.ts";
import { timezoneField } from "../query/timezone-field.ts";
import { idField } from "../query/id-field.ts";
import type { FieldKind } from "./field.ts";

export function text(maxLength: number, options: { multiline?: boolean; minLength?: number } = {}) {
  return { given: textField(maxLength, options), answer: z.string() };
}

export function patternKind(regex: RegExp, must: string) {
  return { given: patternField(regex, must), answer: z.string() };
}

export function host() {
  return { given: hostField(), answer: z.string() };
}

export function port() {
  return { given: integerField(1, 65_535), answer: z.int().min(1).max(65_535) };
}

export function booleanKind() {
  return { given: booleanField(), answer: z.boolean() };
}

export function fractionKind() {
  return { given: fractionField(), answer: z.number().min(0).max(1) };
}

/** An integer from `min` to `max`. Responses declare no maximum, so that a later version can raise it. */
export function integer(min: number, max: number) {
  return { given: integerField(min, max), answer: z.int().min(min) };
}

export function time() {
  return { given: timestampField(), answer: z.iso.datetime() };
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
