import { z } from "zod";
import { expect, test } from "vitest";
import { sameSchemaKind, booleanKind, integer, fractionKind, text, time } from "../../record/field-kinds.ts";
import { optionalField, optionalNullableField, required } from "../../record/field.ts";
import { createFieldColumnFactory } from "./field-column.ts";

const column = createFieldColumnFactory({
  ownerTeam: optionalNullableField(text(10), { title: "Owner" }),
  adminState: optionalField(sameSchemaKind(z.enum(["ON", "OFF"])), "ON", {
    titles: { ON: "On" },
    meanings: { ON: "It runs." },
    tones: { OFF: "bad" },
  }),
  port: required(integer(1, 9)),
  load: required(fractionKind()),
  isOn: required(booleanKind()),
  checkedAt: optionalNullableField(time()),
  tags: required(sameSchemaKind(z.array(z.string()))),
});

test("createFieldColumnFactory takes titles, meanings and tones from the record field", () => {
  expect(column("ownerTeam", 5)).toEqual({ key: "ownerTeam", title: "Owner", kind: "text", width: 5 });
  const values = { titles: { ON: "On" }, meanings: { ON: "It runs." }, tones: { OFF: "bad" } };
  expect(column("adminState", 6)).toEqual({
    key: "adminState",
    title: "Admin state",
    kind: "text",
    width: 6,
    ...values,
  });
});

test("createFieldColumnFactory takes the kind from the record field unless one is given", () => {
  const kinds = (["port", "load", "isOn", "checkedAt", "tags"] as const).map((key) => column(key, 5).kind);
  expect(kinds).toEqual(["integer", "decimal", "boolean", "timestamp", "list"]);
  expect(column("load", 5, { kind: "ratio", plainDigits: true })).toMatchObject({ kind: "ratio", plainDigits: true });
});
