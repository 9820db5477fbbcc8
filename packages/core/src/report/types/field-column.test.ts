import { z } from "zod";
import { expect, test } from "vitest";
import { sameSchema, flag, integer, fraction, text, time } from "../../record/field-kinds.ts";
import { optional, orNull, required } from "../../record/field.ts";
import { createFieldColumn } from "./field-column.ts";

const column = createFieldColumn({
  ownerTeam: orNull(text(10), { title: "Owner" }),
  adminState: optional(sameSchema(z.enum(["ON", "OFF"])), "ON", {
    titles: { ON: "On" },
    meanings: { ON: "It runs." },
    tones: { OFF: "bad" },
  }),
  port: required(integer(1, 9)),
  load: required(fraction()),
  isOn: required(flag()),
  checkedAt: orNull(time()),
  tags: required(sameSchema(z.array(z.string()))),
});

test("createFieldColumn takes titles, meanings and tones from the record field", () => {
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

test("createFieldColumn takes the kind from the record field unless one is given", () => {
  const kinds = (["port", "load", "isOn", "checkedAt", "tags"] as const).map((key) => column(key, 5).kind);
  expect(kinds).toEqual(["integer", "decimal", "boolean", "timestamp", "list"]);
  expect(column("load", 5, { kind: "ratio", plainDigits: true })).toMatchObject({ kind: "ratio", plainDigits: true });
});
