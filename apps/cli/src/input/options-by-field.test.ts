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
