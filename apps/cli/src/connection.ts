import { readFileSync } from "node:fs";
import { createGateway, type Gateway, type GatewayOptions } from "@reports/client";
import { CommandError } from "./command-error.ts";
import { exitCodes } from "./exit-code.ts";

/** The variables of the process. An empty value counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const environmentHelp = `Environment: REPORTS_URL, and either REPORTS_USER with REPORTS_PASSWORD or REPORTS_TOKEN. A password or a token can
also be in the first line of a file that REPORTS_PASSWORD_FILE or REPORTS_TOKEN_FILE names. Nothing is stored on disk.`;

/** Creates a client for the gateway that the environment names. Throws a CommandError that names the missing or wrong variable. */
export function createClient(environment: Environment, fetch: GatewayOptions["fetch"]): Gateway {
  return createGateway({ baseUrl: readUrl(environment), fetch, ...readCredentials(environment) });
}

function readUrl({ REPORTS_URL: url }: Environment): string {
  if (!url) throw usageError("REPORTS_URL is not set. Set it to the gateway's address: https://reports.example.com");
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw usageError("REPORTS_URL must be an address that begins with https:// or http://.");
  if (parsed.username !== "" || parsed.password !== "")
    throw usageError("REPORTS_URL contains a name or a password. They belong in REPORTS_USER and REPORTS_PASSWORD.");
  if (parsed.search !== "" || parsed.hash !== "")
    throw usageError(
      "REPORTS_URL must not have a query or a fragment. It is the gateway's address, with its path prefix if it has one.",
    );
  return url;
}

function readCredentials(
  environment: Environment,
): { readonly credentials: { readonly name: string; readonly password: string } } | { readonly token: () => string } {
  const { REPORTS_USER: name, REPORTS_TOKEN_FILE: tokenFile } = environment;
  const hasToken = Boolean(environment["REPORTS_TOKEN"]) || Boolean(tokenFile);
  if (name && hasToken) throw usageError("REPORTS_USER and REPORTS_TOKEN are both set. Set one of them.");
  if (name) {
    const password = readSecret(environment, "REPORTS_PASSWORD");
    if (password === null) throw usageError("REPORTS_PASSWORD is not set, and neither is REPORTS_PASSWORD_FILE.");
    return { credentials: { name, password } };
  }
  if (!hasToken) throw usageError("There are no credentials. Set REPORTS_USER and REPORTS_PASSWORD, or REPORTS_TOKEN.");
  const read = (): string => {
    const token = readSecret(environment, "REPORTS_TOKEN") ?? "";
    if (!/^[\x21-\x7e]+$/.test(token)) throw usageError("REPORTS_TOKEN is empty, or has characters that no token has.");
    return token;
  };
  read();
  // The token is read for every request, because its file may get a new token during a long wait.
  return { token: read };
}

function readSecret(environment: Environment, name: string): string | null {
  const value = environment[name];
  const file = environment[`${name}_FILE`];
  if (value && file) throw usageError(`${name} and ${name}_FILE are both set. Set one of them.`);
  if (value) return value;
  if (!file) return null;
  try {
    return firstLine(readFileSync(file, "utf8"));
  } catch (error) {
    throw usageError(`${name}_FILE names a file that cannot be read: ${(error as Error).message}`);
  }
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}

function usageError(message: string): CommandError {
  return new CommandError(exitCodes.usage, message);
}
