import { z } from "zod";
import { defineRecord } from "../record/define-record.ts";
import { computed } from "../record/field.ts";

/** Who sends a request. docs/reference/resources/access.md#credentials. */
export const callerSchema = defineRecord(
  { id: "Caller", description: "The caller of this request." },
  {
    id: computed(z.string(), { about: "The principal, as records name it: basic:alice, or issuer|subject." }),
    authorities: computed(z.array(z.string()).readonly(), {
      about: "Authorities of the caller, in alphabetical order.",
    }),
  },
).answer;

/** Who sends a request. docs/reference/resources/access.md#credentials. */
export type Caller = z.output<typeof callerSchema>;
