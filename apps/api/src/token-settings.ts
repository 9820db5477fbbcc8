import { requirableTokenTypes } from "@reports/auth";
import { booleanText, integerText, listText, urlText } from "@reports/runtime";
import type { EnvironmentRule, EnvironmentVariable } from "@reports/runtime";
import { z } from "zod";
import type { consoleSettings } from "./console/console-settings.ts";

const secretListText = listText()
  .refine(
    (secrets) => secrets.length <= 2 && secrets.every((secret) => Buffer.byteLength(secret) >= 32),
    "must be one secret of at least 32 bytes, or two of them separated by a comma",
  )
  .refine(
    (secrets) => !secrets.some(isGuessable),
    "must be random, such as `openssl rand -base64 32` gives: this one repeats itself",
  );

/** Reports whether a secret repeats a shorter text, or has fewer than 8 different characters. 32 random hexadecimal digits practically never do. */
function isGuessable(secret: string): boolean {
  return new Set(secret).size < 8 || `${secret}${secret}`.indexOf(secret, 1) < secret.length;
}

export const tokenSettings = {
  jwtSecrets: {
    name: "AUTH_JWT_SECRET",
    schema: secretListText,
    optional: true,
    secret: true,
    description:
      "Shared secret of bearer tokens (HS256), at least 32 bytes; a second one after a comma while it is rotated.",
  },
  jwksUrl: {
    name: "AUTH_JWKS_URL",
    schema: urlText(["http", "https"]),
    optional: true,
    secret: true,
    description:
      "URL of the key set of the OIDC issuer of bearer tokens, instead of AUTH_JWT_SECRET, or next to it while callers change to the issuer. In production, https unless it is on this machine.",
  },
  issuer: { name: "AUTH_ISSUER", schema: z.string(), optional: true, description: "Required iss of bearer tokens." },
  audience: {
    name: "AUTH_AUDIENCE",
    schema: z.string(),
    optional: true,
    description: "Required aud of bearer tokens. Must be set if AUTH_JWKS_URL is set.",
  },
  allowAnyAudience: {
    name: "AUTH_ALLOW_ANY_AUDIENCE",
    schema: booleanText(),
    default: false,
    description:
      "Allows AUTH_JWKS_URL without AUTH_AUDIENCE. The API then accepts tokens that the issuer made for any other service.",
  },
  authoritiesClaim: {
    name: "AUTH_AUTHORITIES_CLAIM",
    schema: z.string(),
    default: "authorities",
    description: "Claim that holds the authorities: an array of strings, or scope, which is split on spaces.",
  },
  tokenType: {
    name: "AUTH_TOKEN_TYPE",
    schema: z.enum(requirableTokenTypes, `must be ${requirableTokenTypes.join(", ")}, or unset`),
    optional: true,
    description:
      "`at+jwt` accepts only access tokens by RFC 9068, with that `typ` and `iss`, `exp`, `aud`, `sub`, `client_id`, `iat` and `jti`. Unset: also tokens of `typ` JWT or none, unless a claim shows that they are not access tokens.",
  },
  maxTokenAgeSeconds: {
    name: "AUTH_TOKEN_MAX_AGE_SECONDS",
    schema: integerText(60, 31_536_000),
    default: 86_400,
    description: "Greatest age of a bearer token since its `iat`, in seconds, even if its `exp` is later.",
  },
  tokenLifetimeSeconds: {
    name: "AUTH_TOKEN_LIFETIME_SECONDS",
    schema: integerText(60, 86_400),
    default: 900,
    description: "Lifetime of the tokens that POST /v1/tokens issues, in seconds.",
  },
} as const;

export const tokenRules: readonly EnvironmentRule<
  typeof tokenSettings & typeof consoleSettings & Readonly<Record<string, EnvironmentVariable>>
>[] = [
  ({ isSet, nameOf }) =>
    isSet("jwksUrl") && !isSet("issuer")
      ? { variable: nameOf("issuer"), message: "must be set too, because AUTH_JWKS_URL is set" }
      : null,
  ({ isSet, nameOf, values }) =>
    isSet("jwksUrl") && !isSet("audience") && values.allowAnyAudience !== true
      ? {
          variable: nameOf("audience"),
          message:
            "must be set too, because AUTH_JWKS_URL is set: otherwise every token of the issuer is accepted, whomever it is for. " +
            "AUTH_ALLOW_ANY_AUDIENCE=true allows that",
        }
      : null,
  // Without this rule, the API would accept the console's ID tokens as access tokens. Their audience is the console's client ID
  // (section 2 of OpenID Connect Core).
  ({ nameOf, values: { consoleOidcClientId, audience, tokenType } }) =>
    consoleOidcClientId !== undefined && consoleOidcClientId === audience && tokenType === undefined
      ? {
          variable: nameOf("consoleOidcClientId"),
          message:
            "must differ from AUTH_AUDIENCE: otherwise ID tokens of the console are accepted as access tokens. " +
            "Register a separate client for the console, or set AUTH_TOKEN_TYPE=at+jwt if the issuer supports RFC 9068",
        }
      : null,
  ({ nameOf, values: { maxTokenAgeSeconds = Infinity, tokenLifetimeSeconds = 0 } }) =>
    maxTokenAgeSeconds < tokenLifetimeSeconds
      ? {
          variable: nameOf("maxTokenAgeSeconds"),
          message: "must be at least AUTH_TOKEN_LIFETIME_SECONDS: otherwise issued tokens end before their time",
        }
      : null,
];
