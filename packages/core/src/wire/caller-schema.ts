import { z } from "zod";

/** Who sends a request. docs/reference/resources/access.md#credentials. */
export const callerSchema = z
  .strictObject({
    id: z.string().meta({ description: "The principal, as records name it: basic:alice, or issuer|subject." }),
    authorities: z
      .array(z.string())
      .readonly()
      .meta({ description: "Authorities of the caller, in alphabetical order." }),
  })
  .meta({ id: "Caller", description: "The caller of this request." });

/** Who sends a request. docs/reference/resources/access.md#credentials. */
export type Caller = z.output<typeof callerSchema>;
