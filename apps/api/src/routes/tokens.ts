import type { TokenIssuer } from "@reports/auth";
import { tokenSchema } from "@reports/core/wire";
import { defineEndpoint, replyJson, describeJson, describeProblems, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";

export function createTokenEndpoint(deps: { readonly issueToken: TokenIssuer }): Endpoint {
  return defineEndpoint({
    method: "POST",
    path: "/v1/tokens",
    operationId: "createToken",
    summary: "Exchanges a name and a password for a bearer token",
    description:
      "The token is the same principal and lives for minutes; a bearer token cannot be exchanged for another.",
    tag: openApiTags.tokens,
    access: { kind: "password" },
    audit: { recordType: "token", verb: "issue" },
    responses: {
      201: describeJson(
        "The token. It is the same principal, with the authorities that the user has now.",
        tokenSchema,
      ),
      ...describeProblems({
        401: "The name or the password is missing or wrong; a bearer token is not accepted.",
        503: "The users cannot be read at the moment.",
      }),
    },
    async handle({ principal }) {
      const { token, expiresInSeconds } = await deps.issueToken(principal);
      return replyJson({ access_token: token, token_type: "Bearer", expires_in: expiresInSeconds }, 201);
    },
  });
}
