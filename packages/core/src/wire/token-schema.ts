import { z } from "zod";

/** A bearer token that was issued. RFC 6749 §5.1, docs/reference/resources/access.md#credentials. */
export const tokenSchema = z
  .strictObject({
    access_token: z.string().meta({ description: "The token for the header Authorization: Bearer." }),
    token_type: z
      .literal("Bearer")
      .meta({ description: "Scheme of the header Authorization in which the token is sent." }),
    expires_in: z.int().min(1).meta({ description: "Seconds until the token expires." }),
  })
  .meta({ id: "Token", description: "A bearer token. RFC 6749 §5.1." });

/** A bearer token that was issued. RFC 6749 §5.1, docs/reference/resources/access.md#credentials. */
export type Token = z.output<typeof tokenSchema>;
