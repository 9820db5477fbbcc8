import { z } from "zod";
import { integerField, textField, timestampField } from "./collection-fields.ts";
import { idField } from "../query/id-field.ts";
import type { Kind } from "./field.ts";

/** Text of one line, or of several with `multiline`. */
export function text(maxLength: number, options: { multiline?: boolean; minLength?: number } = {}) {
  return { given: textField(maxLength, options), answer: z.string() };
}

/** An integer with both ends inclusive. Responses promise no maximum, so that a later version can raise it. */
export function integer(min: number, max: number) {
  return { given: integerField(min, max), answer: z.int().min(min) };
}

/** An RFC 3339 time, which is a Date in the record. */
export function time() {
  return { given: timestampField(), answer: z.iso.datetime() };
}

/** An ID, as the service makes it. */
export function id() {
  return alike(idField());
}

/** A value whose one schema serves both directions. */
export function alike<S extends z.ZodType>(schema: S): Kind<S, S> {
  return { given: schema, answer: schema };
}
