import { expectTypeOf, test } from "vitest";
import type { HandlerInputForAccess } from "./endpoint.ts";
import type { OwnedRecord, OwnedRecordKind } from "./owned-record-kind.ts";

interface Note extends OwnedRecord {
  readonly text: string;
}

test("TypeScript gives a handler a record only if its endpoint's access is `record`", () => {
  expectTypeOf<
    HandlerInputForAccess<{ kind: "record"; of: OwnedRecordKind<Note> }, unknown>["record"]
  >().toEqualTypeOf<Note>();
  expectTypeOf<HandlerInputForAccess<{ kind: "authenticated" }, unknown>["record"]>().toEqualTypeOf<undefined>();
  expectTypeOf<
    HandlerInputForAccess<{ kind: "authority"; authority: string }, unknown>["record"]
  >().toEqualTypeOf<undefined>();
});
