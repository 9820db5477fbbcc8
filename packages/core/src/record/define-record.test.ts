import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { readInput, readPatch } from "./collection-input.ts";
import { defineRecord } from "./define-record.ts";
import { sameSchema, id, integer, text, time } from "./field-kinds.ts";
import { computed, ignored, kept, nullable, optional, orNull, required, server } from "./field.ts";
import type { InputOf, RecordOf } from "./field.ts";

const fields = {
  id: server(id(), { about: "Id of the note." }),
  title: required(text(20), { about: "Its title.", aboutGiven: "A title." }),
  state: kept(sameSchema(z.enum(["OPEN", "DONE"])), "OPEN"),
  weight: optional(integer(1, 9), 5, { about: "How heavy it is." }),
  dueAt: orNull(time(), { about: "Until when." }),
  labels: optional(sameSchema(z.record(z.string(), z.string())), {}),
  seenAt: ignored(nullable(time()), { about: "When it was last seen." }),
  length: computed(z.int(), { about: "Length of the title." }),
};
const { answer, input, patch, rules } = defineRecord({ id: "Note", description: "A note." }, fields);
const stored = { id: "1", title: "a", state: "DONE", weight: 7, dueAt: null, labels: { a: "1", b: "2" }, seenAt: null };

test("the types of the stored record and of the input follow from the fields", () => {
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
  test("schemas have the fields in the declared order, and bodies have kept fields last", () => {
    expect(Object.keys(answer.shape)).toEqual(Object.keys(fields));
    expect(Object.keys(input.shape)).toEqual(["title", "weight", "dueAt", "labels", "state"]);
    expect(Object.keys(patch.shape)).toEqual(Object.keys(input.shape));
  });

  test("a field in a body is described by its own text, else its rule, else as responses", () => {
    const described = z.toJSONSchema(input, { io: "input" }).properties as Record<string, { description?: string }>;
    expect(described["title"]?.description).toBe("A title.");
    expect(described["weight"]?.description).toBe("Must be an integer from 1 to 9.");
    expect(answer.shape.weight.description).toBe("How heavy it is.");
    expect(answer.shape.dueAt.description).toBe("Until when.");
  });

  test("a patch accepts null for exactly the fields that have a default", () => {
    const nullFields = Object.keys(patch.shape).filter((name) => patch.safeParse({ [name]: null }).success);
    expect(nullFields).toEqual(["weight", "dueAt", "labels", "state"]);
  });

  test("a complete body gets defaults, and a patch gets none", () => {
    expect(patch.parse({})).toEqual({});
    expect(input.parse({ title: "a" })).toEqual({ title: "a", weight: 5, dueAt: null, labels: {} });
  });
});

describe("bodies", () => {
  test("a new record gets every default", () => {
    const result = readInput(rules, { title: "a" });
    expect(result).toEqual({
      ok: true,
      input: { title: "a", state: "OPEN", weight: 5, dueAt: null, labels: {} },
    });
  });

  test("a replacement keeps omitted fields of mode kept and resets the other ones", () => {
    const result = readInput(rules, { title: "b" }, stored);
    expect(result).toMatchObject({ ok: true, input: { title: "b", state: "DONE", weight: 5 } });
  });

  test("null in a patch resets a kept field, and fields that are not named stay", () => {
    expect(readPatch(rules, { state: null }, stored)).toMatchObject({ ok: true, input: { state: "OPEN", weight: 7 } });
    expect(readPatch(rules, {}, stored)).toMatchObject({ ok: true, input: { state: "DONE", weight: 7 } });
  });

  test("an object in a patch is merged into the stored object", () => {
    const result = readPatch(rules, { labels: { b: null, c: "3" } }, stored);
    expect(result).toMatchObject({ ok: true, input: { labels: { a: "1", c: "3" } } });
  });

  test("values of ignored and computed fields in a body are not validated", () => {
    expect(readInput(rules, { title: "a", seenAt: 5, length: "long" }, stored).ok).toBe(true);
  });

  test("a body may repeat server-set fields but not change them", () => {
    expect(readInput(rules, { title: "a", id: "1" }, stored).ok).toBe(true);
    expect(readInput(rules, { title: "a", id: "2" }, stored)).toMatchObject({ issues: [{ code: "read_only" }] });
  });
});
