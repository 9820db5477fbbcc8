import { z } from "zod";
import { defineRecord } from "../record/define-record.ts";
import { computedField } from "../record/field.ts";

/** The caller of a request, with its authorities. docs/reference/resources/access.md#credentials. */
export const callerSchema = defineRecord(
  { id: "Caller", description: "The caller of this request." },
  {
    id: computedField(z.string(), {
      about: "The principal of the caller, such as basic:alice or issuer|subject. Records name it in the same way.",
    }),
    authorities: computedField(z.array(z.string()).readonly(), {
      about: "Authorities that the caller has now, in alphabetical order.",
    }),
  },
).answer;

/** The caller of a request, with its authorities. docs/reference/resources/access.md#credentials. */
export type Caller = z.output<typeof callerSchema>;
