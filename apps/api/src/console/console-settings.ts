import { booleanText } from "@reports/runtime";
import { z } from "zod";

export const consoleSettings = {
  console: {
    name: "CONSOLE",
    schema: booleanText(),
    default: true,
    description: "Whether the API serves the console, its pages for people, at /console.",
  },
  consoleOidcClientId: {
    name: "CONSOLE_OIDC_CLIENT_ID",
    schema: z.string(),
    optional: true,
    description:
      "ID of a public client (code flow with PKCE, without a secret) of AUTH_ISSUER, with which people sign in to the console. Unset: they use name and password.",
  },
  consoleOidcScope: {
    name: "CONSOLE_OIDC_SCOPE",
    schema: z.string(),
    default: "openid",
    description: "Scope that the console asks for; with it the issuer must make access tokens for AUTH_AUDIENCE.",
  },
} as const;
