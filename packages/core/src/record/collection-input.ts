import { z } from "zod";
import type { InputIssue } from "../base/errors.ts";
import { describeUnknownName } from "../query/nearest-name.ts";
import {
  describeJsonPath,
  isJsonObject,
  notAnObjectIssue,
  omitFields,
  toJsonPointer,
  type JsonObject,
} from "../base/json-object.ts";
import { applyMergePatch } from "../base/merge-patch.ts";

export interface RecordInputRules<Input> {
  readonly schema: z.ZodType<Partial<Input>>;
  readonly fields: readonly string[];
  readonly serverFields: readonly string[];
  /** Names of the fields in `fields` that probes write too. A replacement (PUT) leaves them unchanged. */
  readonly observedFields: readonly string[];
  /** Names of fields that the service can change at any time. A body that repeats an old value is accepted, and the value is ignored. */
  readonly ignoredFields?: readonly string[];
  /** Defaults of the fields that keep their stored value if a PUT omits them. A new record gets the default. */
  readonly keptDefaults?: JsonObject;
}

export type RecordInputParseResult<Input> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly issues: readonly InputIssue[] };

/**
 * Reads a complete record from a parsed body. `stored` holds the server-set values that the body may repeat: the parent's ID at creation, or the
 * whole record at a change. As `updatedAt`, the body may repeat any time since `configuredAt`, because probes update the record while people edit
 * it.
 */
export function readRecordInput<Input>(
  rules: RecordInputRules<Input>,
  body: unknown,
  stored: JsonObject = {},
  configuredAt?: Date,
): RecordInputParseResult<Input> {
  if (!isJsonObject(body)) return { ok: false, issues: [notAnObjectIssue] };
  const issues = findServerFieldIssues(rules, body, stored, configuredAt);
  const own = omitFields(body, [...rules.serverFields, ...(rules.ignoredFields ?? [])]);
  const result = rules.schema.safeParse(own, { reportInput: true });
  if (!result.success)
    issues.push(...withoutRepeats(result.error.issues.flatMap((issue) => toInputIssues(issue, rules))));
  if (!result.success || issues.length > 0) return { ok: false, issues };
  return { ok: true, input: addKeptFields(rules, result.data, stored) };
}

function addKeptFields<Input>(
  { keptDefaults = {} }: RecordInputRules<Input>,
  read: Partial<Input>,
  stored: JsonObject,
): Input {
  const kept = Object.entries(keptDefaults).map(([field, byDefault]) => [field, stored[field] ?? byDefault]);
  return { ...(Object.fromEntries(kept) as Partial<Input>), ...read } as Input;
}

export function readRecordReplacement<Input>(
  rules: RecordInputRules<Input>,
  body: unknown,
  stored: JsonObject,
  configuredAt?: Date,
): RecordInputParseResult<Input> {
  const result = readRecordInput(rules, body, stored, configuredAt);
  if (!result.ok) return result;
  const kept = Object.fromEntries(rules.observedFields.map((field) => [field, stored[field]]));
  return { ok: true, input: { ...result.input, ...kept } };
}

export function readRecordPatch<Input>(
  rules: RecordInputRules<Input>,
  patch: unknown,
  stored: JsonObject,
  configuredAt?: Date,
): RecordInputParseResult<Input> {
  return readRecordInput(rules, toPatchedBody(rules, patch, stored), stored, configuredAt);
}

/** Returns the stored record after the merge patch, as a body that readRecordInput still has to check; the patch itself if it is not an object. */
export function toPatchedBody<Input>(rules: RecordInputRules<Input>, patch: unknown, stored: JsonObject): unknown {
  if (!isJsonObject(patch)) return patch;
  const current = Object.fromEntries(rules.fields.map((field) => [field, toJson(stored[field])]));
  // Fields that callers may not write stay in the body, even if null, so that readRecordInput refuses them by name.
  const foreign = omitFields(patch, rules.fields);
  const merged = applyMergePatch(current, omitFields(patch, Object.keys(foreign)));
  const reset = Object.entries(rules.keptDefaults ?? {}).filter(([field]) => patch[field] === null);
  return { ...merged, ...Object.fromEntries(reset), ...foreign };
}

export function readValidBodyFields<Shape extends z.core.$ZodShape>(
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
  rules: RecordInputRules<Input>,
  body: JsonObject,
  stored: JsonObject,
  configuredAt: Date | undefined,
): InputIssue[] {
  return rules.serverFields
    .filter((field) => Object.hasOwn(body, field) && !equalsStored(body[field], stored[field]))
    .filter((field) => field !== "updatedAt" || !isTimeBetween(body[field], configuredAt, stored[field]))
    .map((field) => ({
      pointer: `/${field}`,
      code: "read_only",
      message: `${field} is set by the server; leave it out${field in stored ? " or repeat the stored value" : ""}.`,
    }));
}

function equalsStored(given: unknown, stored: unknown): boolean {
  if (stored instanceof Date) return typeof given === "string" && new Date(given).getTime() === stored.getTime();
  return stored !== undefined && given === stored;
}

function isTimeBetween(given: unknown, from: unknown, to: unknown): boolean {
  if (typeof given !== "string" || !(from instanceof Date) || !(to instanceof Date)) return false;
  const time = new Date(given);
  return time >= from && time <= to;
}

function toInputIssues<Input>(issue: z.core.$ZodIssue, rules: RecordInputRules<Input>): InputIssue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key, index) => ({
      pointer: toJsonPointer([...issue.path, key]),
      code: "unknown_field",
      message: describeUnknownName("field", key, rules.fields, index),
    }));
  }
  const { path, message } = issue;
  return [{ pointer: toJsonPointer(path), code: issueCodeOf(issue), message: `${describeJsonPath(path)} ${message}.` }];
}

/** Returns the code of an issue. A rule about several fields names its own code, because a field that it requires can be null or have a default. */
function issueCodeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "custom" && typeof issue.params?.["code"] === "string") return issue.params["code"];
  if (issue.input === undefined) return "required";
  return issue.code === "invalid_type" ? "invalid_type" : "invalid_value";
}

/** Removes duplicates: zod reports one issue for each way in which a value breaks the field's rule, all with the same message. */
function withoutRepeats(issues: readonly InputIssue[]): InputIssue[] {
  return [...new Map(issues.map((issue) => [`${issue.pointer} ${issue.message}`, issue])).values()];
}

function toJson(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
