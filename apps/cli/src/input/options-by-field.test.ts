import { expect, test } from "vitest";
import { createOptionsByField } from "./options-by-field.ts";

test.each(["choice", "flag", "integer", "list", "text", "time"] as const)(
  "the flag of a field of kind %s is mandatory only if the field is required",
  (kind) => {
    const fields = { given: { kind, values: ["A"], isRequired: true }, other: { kind, values: ["A"] } } as const;
    const flags = createOptionsByField(fields, { given: "Given.", other: "Other." });
    expect([flags.given.mandatory, flags.other.mandatory]).toEqual([true, false]);
  },
);

test.each([
  [["A"], "A: given"],
  [["A", "B"], "A or B: given"],
  [["A", "B", "C"], "A, B or C: given"],
])("the help of an open choice of %j begins with its values", (values, text) => {
  const flags = createOptionsByField({ given: { kind: "choice", values } }, { given: "Given." });
  expect(flags.given.description).toBe(text);
});
