import { z } from "zod";
import type { InputIssue } from "../base/errors.ts";
import { describeUnknownName } from "../query/nearest-name.ts";
import { pointerOf } from "../base/json-pointer.ts";
import { isJsonObject, notAnObject, type JsonObject } from "../base/json-object.ts";
import { applyMergePatch } from "../base/merge-patch.ts";

/** How the records of a collection are written: the schema of what callers write, and the fields that are the server's. */
export interface InputRules<Input> {
  /** Reads the fields that callers write; kept fields may be missing. */
  readonly schema: z.ZodType<Partial<Input>>;
  /** Names of all that a caller may write. */
  readonly fields: readonly string[];
  /** Names that only the server sets. */
  readonly serverFields: readonly string[];
  /** Those of `fields` that probes observe and people do not decide: a replacement leaves them as they are. */
  readonly observedFields: readonly string[];
  /** Fields that the service changes at any time. Their values in bodies are ignored. */
  readonly ignoredFields?: readonly string[];
  /** The defaults of fields that keep their stored value when a body leaves them out. */
  readonly keptDefaults?: JsonObject;
}

/** The input, complete and normalised, or everything that is wrong with it. */
export type InputResult<Input> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/**
 * Reads a complete record out of a parsed body. `stored` holds the values of the server's fields as far as they are known:
 * nothing at creation (the parent's id, of a child), the whole record where one is changed. A body may repeat them.
 * Of `updatedAt` it may repeat whatever was true since `configuredAt`, because probes move it on while people write.
 */
export function readInput<Input>(
  rules: InputRules<Input>,
  body: unknown,
  stored: JsonObject = {},
  configuredAt?: Date,
): InputResult<Input> {
  if (!isJsonObject(body)) return { ok: false, issues: [notAnObject] };
  const issues = findServerFieldIssues(rules, body, stored, configuredAt);
  const own = omit(body, [...rules.serverFields, ...(rules.ignoredFields ?? [])]);
  const result = rules.schema.safeParse(own, { reportInput: true });
  if (!result.success)
    issues.push(...withoutRepeats(result.error.issues.flatMap((issue) => toInputIssues(issue, rules))));
  if (!result.success || issues.length > 0) return { ok: false, issues };
  return { ok: true, input: withKept(rules, result.data, stored) };
}

function withKept<Input>({ keptDefaults = {} }: InputRules<Input>, read: Partial<Input>, stored: JsonObject): Input {
  const kept = Object.entries(keptDefaults).map(([field, byDefault]) => [field, stored[field] ?? byDefault]);
  return { ...(Object.fromEntries(kept) as Partial<Input>), ...read } as Input;
}

/** Reads a complete replacement of the stored record. What it says of observed fields is checked, and they stay as they are stored. */
export function readReplacement<Input>(
  rules: InputRules<Input>,
  body: unknown,
  stored: JsonObject,
  configuredAt?: Date,
): InputResult<Input> {
  const result = readInput(rules, body, stored, configuredAt);
  if (!result.ok) return result;
  const kept = Object.fromEntries(rules.observedFields.map((field) => [field, stored[field]]));
  return { ok: true, input: { ...result.input, ...kept } };
}

/** Reads a JSON merge patch (RFC 7396) and applies it to the stored record: null takes a field back to its default. */
export function readPatch<Input>(
  rules: InputRules<Input>,
  patch: unknown,
  stored: JsonObject,
  configuredAt?: Date,
): InputResult<Input> {
  return readInput(rules, patchedBody(rules, patch, stored), stored, configuredAt);
}

/** The whole body that a merge patch of the stored record stands for; a patch that is no object as it is. */
export function patchedBody<Input>(rules: InputRules<Input>, patch: unknown, stored: JsonObject): unknown {
  if (!isJsonObject(patch)) return patch;
  const current = Object.fromEntries(rules.fields.map((field) => [field, toJson(stored[field])]));
  // What is no field of the caller's stays in the body, as null too, and is refused there by its name.
  const foreign = omit(patch, rules.fields);
  const merged = applyMergePatch(current, omit(patch, Object.keys(foreign)));
  const reset = Object.entries(rules.keptDefaults ?? {}).filter(([field]) => patch[field] === null);
  return { ...merged, ...Object.fromEntries(reset), ...foreign };
}

/** Those fields of a body that are right by themselves, so that what else is wrong with them is told beside what is wrong with the others. */
export function readValidFields<Shape extends z.core.$ZodShape>(
  { shape }: z.ZodObject<Shape>,
  body: unknown,
): Partial<z.output<z.ZodObject<Shape>>> {
  if (!isJsonObject(body)) return {};
  const read = Object.entries(shape).flatMap(([name, field]) => {
    const result = z.safeParse(field, body[name]);
    return result.success ? [[name, result.data]] : [];
  });
  return Object.fromEntries(read) as Partial<z.output<z.ZodObject<Shape>>>;
}

function findServerFieldIssues<Input>(
  rules: InputRules<Input>,
  body: JsonObject,
  stored: JsonObject,
  configuredAt: Date | undefined,
): InputIssue[] {
  return rules.serverFields
    .filter((field) => Object.hasOwn(body, field) && !isSame(body[field], stored[field]))
    .filter((field) => field !== "updatedAt" || !isBetween(body[field], configuredAt, stored[field]))
    .map((field) => ({
      pointer: `/${field}`,
      code: "read_only",
      message: `${field} is set by the server; leave it out${field in stored ? " or repeat the stored value" : ""}.`,
    }));
}

function isSame(given: unknown, stored: unknown): boolean {
  if (stored instanceof Date) return typeof given === "string" && new Date(given).getTime() === stored.getTime();
  return stored !== undefined && given === stored;
}

function isBetween(given: unknown, from: unknown, to: unknown): boolean {
  if (typeof given !== "string" || !(from instanceof Date) || !(to instanceof Date)) return false;
  const time = new Date(given);
  return time >= from && time <= to;
}

function toInputIssues<Input>(issue: z.core.$ZodIssue, rules: InputRules<Input>): InputIssue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key, index) => ({
      pointer: pointerOf([...issue.path, key]),
      code: "unknown_field",
      message: describeUnknownName("field", key, rules.fields, index),
    }));
  }
  return [{ pointer: pointerOf(issue.path), code: codeOf(issue), message: `${nameOf(issue.path)} ${issue.message}.` }];
}

/** A rule across fields says which it is: what it finds missing may have a default, or be null. */
function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "custom" && typeof issue.params?.["code"] === "string") return issue.params["code"];
  if (issue.input === undefined) return "required";
  return issue.code === "invalid_type" ? "invalid_type" : "invalid_value";
}

/** One sentence says the whole rule of a field, which may be broken in several ways at once. */
function withoutRepeats(issues: readonly InputIssue[]): InputIssue[] {
  return [...new Map(issues.map((issue) => [`${issue.pointer} ${issue.message}`, issue])).values()];
}

/** `tags[3]`, for people; the pointer is for programs. */
function nameOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}

function toJson(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

function omit(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
