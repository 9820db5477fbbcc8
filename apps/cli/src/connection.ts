import { readFileSync } from "node:fs";
import { createGateway, type Gateway, type GatewayOptions } from "@reports/client";
import { CommandError, usageError } from "./command-error.ts";
import { formatTimeFromNow } from "./output/format-amount.ts";
import { toSafeText } from "./output/to-safe-text.ts";
import {
  requireProfileNameOrThrow,
  defaultProfileName,
  getProfileFilePath,
  readProfiles,
} from "./profiles/profile-file.ts";
import { readTokenExpiryMs } from "./profiles/token-expiry.ts";

/** Environment variables. An empty value counts as not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const environmentHelp =
  "Environment: REPORTS_URL, and either REPORTS_USER with REPORTS_PASSWORD or REPORTS_TOKEN. " +
  "A password or a token can also be in the first line of a file that REPORTS_PASSWORD_FILE or REPORTS_TOKEN_FILE names. " +
  'Without them, the profile of "reports login" is used: --profile, REPORTS_PROFILE or "default".';

/**
 * Creates a client for the gateway that --profile names, else the environment, else REPORTS_PROFILE, else the profile `default`. Throws a
 * CommandError that names the missing or wrong setting.
 */
export function createConfiguredGateway(
  environment: Environment,
  fetch: GatewayOptions["fetch"],
  profile?: string,
): Gateway {
  const { REPORTS_USER: user, REPORTS_TOKEN: token, REPORTS_TOKEN_FILE: tokenFile } = environment;
  if (profile === undefined && (user || token || tokenFile))
    return createGateway({
      baseUrl: requireGatewayUrlOrThrow(environment["REPORTS_URL"]),
      fetch,
      ...readCredentials(environment),
    });
  const name = requireProfileNameOrThrow(profile ?? (environment["REPORTS_PROFILE"] || defaultProfileName));
  const path = getProfileFilePath(environment);
  const found = readProfiles(path).get(name);
  const isNamed = profile !== undefined || Boolean(environment["REPORTS_PROFILE"]);
  if (found === undefined && isNamed)
    throw usageError(`There is no profile ${name}. Sign in: ${loginCommand(name)} https://reports.example.com`);
  const url = requireGatewayUrlOrThrow(profile === undefined ? environment["REPORTS_URL"] || found?.url : found?.url);
  if (found === undefined) throw usageError(noCredentialsText);
  // A token must not be sent to another gateway than the one that issued it.
  if (canonicalUrl(url) !== canonicalUrl(found.url))
    throw usageError(
      `REPORTS_URL is not the address of the profile ${name}, whose token is for ${toSafeText(found.url)}. Unset REPORTS_URL, or sign in: ${loginCommand(name)} ${toSafeText(url)}`,
    );
  return createGatewayWithToken(url, () => readProfileToken(path, name), fetch);
}

/** Creates a client that calls `token` for each request, so that a new token is used during a long wait. */
export function createGatewayWithToken(baseUrl: string, token: () => string, fetch: GatewayOptions["fetch"]): Gateway {
  return createGateway({
    baseUrl,
    fetch,
    token: () => {
      const value = token();
      if (!/^[\x21-\x7e]+$/.test(value)) throw usageError("The token is empty, or has characters that no token has.");
      return value;
    },
  });
}

/** Reads the token from the file again, because another command may have replaced it during a long wait. */
function readProfileToken(path: string, name: string): string {
  const token = readProfiles(path).get(name)?.token ?? "";
  const expiry = readTokenExpiryMs(token);
  if (expiry === null || expiry > Date.now()) return token;
  const age = formatTimeFromNow(expiry - Date.now());
  throw new CommandError(
    "notAllowed",
    `The token of the profile ${name} expired ${age}. Sign in again: ${loginCommand(name)}`,
  );
}

function loginCommand(profile: string): string {
  return `reports login${profile === defaultProfileName ? "" : ` --profile ${profile}`}`;
}

const noCredentialsText =
  "There are no credentials. Set REPORTS_USER and REPORTS_PASSWORD, or REPORTS_TOKEN, or sign in: reports login";

export function requireGatewayUrlOrThrow(url: string | undefined, name = "REPORTS_URL"): string {
  if (!url)
    throw usageError(
      `${name} is not set. Set it to the gateway's address: https://reports.example.com. Or sign in: reports login https://reports.example.com`,
    );
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw usageError(`${name} must be an address that begins with https:// or http://.`);
  if (parsed.username !== "" || parsed.password !== "")
    throw usageError(`${name} contains a name or a password. They belong in REPORTS_USER and REPORTS_PASSWORD.`);
  if (parsed.search !== "" || parsed.hash !== "")
    throw usageError(
      `${name} must not have a query or a fragment. It is the gateway's address, with its path prefix if it has one.`,
    );
  return url;
}

/** Returns one spelling for all spellings of an address: without slashes at the end, and with a lower-case host. */
function canonicalUrl(url: string): string {
  return (URL.parse(url)?.href ?? url).replace(/(?<!\/)\/+$/, "");
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
  const read = (): string => {
    const token = readSecret(environment, "REPORTS_TOKEN") ?? "";
    if (!/^[\x21-\x7e]+$/.test(token)) throw usageError("REPORTS_TOKEN is empty, or has characters that no token has.");
    return token;
  };
  read();
  // The token is read for each request, because its file may get a new token during a long wait.
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
