import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { readRecordInput, readRecordPatch } from "./collection-input.ts";
import { defineRecord } from "./define-record.ts";
import { sameSchemaKind, id, integer, text, time } from "./field-kinds.ts";
import {
  computedField,
  ignoredField,
  keptField,
  nullable,
  optionalField,
  optionalNullableField,
  required,
  serverSetField,
} from "./field.ts";
import type { InputOf, RecordOf } from "./field.ts";

const fields = {
  id: serverSetField(id(), { about: "Id of the note." }),
  title: required(text(20), { about: "Its title.", aboutGiven: "A title." }),
  state: keptField(sameSchemaKind(z.enum(["OPEN", "DONE"])), "OPEN"),
  weight: optionalField(integer(1, 9), 5, { about: "How heavy it is." }),
  dueAt: optionalNullableField(time(), { about: "Until when." }),
  labels: optionalField(sameSchemaKind(z.record(z.string(), z.string())), {}),
  seenAt: ignoredField(nullable(time()), { about: "When it was last seen." }),
  length: computedField(z.int(), { about: "Length of the title." }),
};
const { answer, input, patch, rules } = defineRecord({ id: "Note", description: "A note." }, fields);
const stored = { id: "1", title: "a", state: "DONE", weight: 7, dueAt: null, labels: { a: "1", b: "2" }, seenAt: null };

test("defineRecord derives the types of stored records and inputs from the fields", () => {
  expectTypeOf<RecordOf<typeof fields>>().toEqualTypeOf<{
    readonly id: string;
    readonly title: string;
    readonly state: "OPEN" | "DONE";
    readonly weight: number;
    readonly dueAt: Date | null;
    readonly labels: Record<string, string>;
    readonly seenAt: Date | null;
  }>();
  expectTypeOf<keyof InputOf<typeof fields>>().toEqualTypeOf<"title" | "state" | "weight" | "dueAt" | "labels">();
  expectTypeOf<z.output<typeof answer>["dueAt"]>().toEqualTypeOf<string | null>();
  expectTypeOf<z.input<typeof input>>().toEqualTypeOf<{
    title: string;
    state?: "OPEN" | "DONE" | undefined;
    weight?: number | undefined;
    dueAt?: string | null | undefined;
    labels?: Record<string, string> | undefined;
  }>();
});

describe("schemas", () => {
  test("response schemas list fields as declared, request schemas list kept fields last", () => {
    expect(Object.keys(answer.shape)).toEqual(Object.keys(fields));
    expect(Object.keys(input.shape)).toEqual(["title", "weight", "dueAt", "labels", "state"]);
    expect(Object.keys(patch.shape)).toEqual(Object.keys(input.shape));
  });

  test("a field's description in request bodies is aboutGiven, or else the field's rule", () => {
    const described = z.toJSONSchema(input, { io: "input" }).properties as Record<string, { description?: string }>;
    expect(described["title"]?.description).toBe("A title.");
    expect(described["weight"]?.description).toBe("Must be an integer from 1 to 9.");
    expect(answer.shape.weight.description).toBe("How heavy it is.");
    expect(answer.shape.dueAt.description).toBe("Until when.");
  });

  test("a patch accepts null only for the fields that have a default", () => {
    const nullFields = Object.keys(patch.shape).filter((name) => patch.safeParse({ [name]: null }).success);
    expect(nullFields).toEqual(["weight", "dueAt", "labels", "state"]);
  });

  test("parsing a complete body of a record adds defaults, and parsing a patch adds none", () => {
    expect(patch.parse({})).toEqual({});
    expect(input.parse({ title: "a" })).toEqual({ title: "a", weight: 5, dueAt: null, labels: {} });
  });
});

describe("bodies", () => {
  test("a new record gets the default of every field that its body omits", () => {
    const result = readRecordInput(rules, { title: "a" });
    expect(result).toEqual({
      ok: true,
      input: { title: "a", state: "OPEN", weight: 5, dueAt: null, labels: {} },
    });
  });

  test("a PUT keeps the stored values of omitted kept fields and resets other fields", () => {
    const result = readRecordInput(rules, { title: "b" }, stored);
    expect(result).toMatchObject({ ok: true, input: { title: "b", state: "DONE", weight: 5 } });
  });

  test("null in a patch resets a kept field, and omitted fields keep their values", () => {
    expect(readRecordPatch(rules, { state: null }, stored)).toMatchObject({
      ok: true,
      input: { state: "OPEN", weight: 7 },
    });
    expect(readRecordPatch(rules, {}, stored)).toMatchObject({ ok: true, input: { state: "DONE", weight: 7 } });
  });

  test("an object in a patch is merged into the stored object", () => {
    const result = readRecordPatch(rules, { labels: { b: null, c: "3" } }, stored);
    expect(result).toMatchObject({ ok: true, input: { labels: { a: "1", c: "3" } } });
  });

  test("a body with invalid values in ignored and computed fields is accepted", () => {
    expect(readRecordInput(rules, { title: "a", seenAt: 5, length: "long" }, stored).ok).toBe(true);
  });

  test("a body may repeat the stored value of a server-set field, but not change it", () => {
    expect(readRecordInput(rules, { title: "a", id: "1" }, stored).ok).toBe(true);
    expect(readRecordInput(rules, { title: "a", id: "2" }, stored)).toMatchObject({ issues: [{ code: "read_only" }] });
  });
});
