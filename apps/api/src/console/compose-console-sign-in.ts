import { discoverTokenEndpoint } from "@reports/auth";
import type { Logger } from "@reports/runtime";
import type { ApiConfig } from "../config.ts";
import { createConsoleSignIn, type ConsoleSignIn } from "./console-sign-in.ts";

export function composeConsoleSignIn(
  config: Pick<ApiConfig, "consoleOidcClientId" | "consoleOidcScope" | "issuer">,
  logger: Logger,
): ConsoleSignIn | null {
  const { consoleOidcClientId: clientId, consoleOidcScope: scope, issuer } = config;
  if (clientId === undefined || issuer === undefined) return null;
  return createConsoleSignIn(
    { issuer, clientId, scope },
    {
      discover: discoverTokenEndpoint,
      onFailure: (error) => logger.warn("the console's issuer does not say where it gives tokens", { error }),
    },
  );
}
