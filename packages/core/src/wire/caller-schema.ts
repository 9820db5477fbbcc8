import { z } from "zod";

/** Who sends a request. docs/reference/resources/access.md#credentials. */
export const callerSchema = z
  .strictObject({
    id: z.string().meta({ description: "The principal, as records name it: basic:alice, or issuer|subject." }),
    authorities: z.array(z.string()).readonly().meta({ description: "What the caller holds, in alphabetical order." }),
  })
  .meta({ id: "Caller", description: "Who sends the request." });

/** Who sends a request. docs/reference/resources/access.md#credentials. */
export type Caller = z.output<typeof callerSchema>;
