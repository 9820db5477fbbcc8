import {
  atMostOneOf,
  defineEnvironment,
  deploymentRules,
  deploymentVariables,
  flagText,
  integerText,
  listText,
  portText,
  readEnvironment,
  urlText,
} from "@reports/runtime";
import type { ConfigurationOf, EnvironmentText } from "@reports/runtime";
import { z } from "zod";

const secretList = listText().refine(
  (secrets) => secrets.length <= 2 && secrets.every((secret) => Buffer.byteLength(secret) >= 32),
  "must be one secret of at least 32 bytes, or two of them separated by a comma",
);

const basePath = z
  .string()
  .regex(/^(?:\/[A-Za-z0-9._~-]+)+$/, "must be a path such as /gateway, without a slash at its end");

const authorityOverrides: z.ZodType<Readonly<Record<string, string>>, string> = listText().transform(
  (entries, context) => {
    const pairs = entries.map((entry) => /^(\w+) *= *(\S+)$/.exec(entry));
    if (pairs.every((pair) => pair !== null))
      return Object.fromEntries(pairs.map(([, type, authority]) => [type!, authority!]));
    context.addIssue("must be TYPE=AUTHORITY, several of them separated by commas");
    return z.NEVER;
  },
);

/** Every variable that the API reads. contract §8. */
export const apiEnvironment = defineEnvironment({
  ...deploymentVariables,
  host: { name: "HOST", schema: z.string(), default: "0.0.0.0", description: "Address on which the API listens." },
  port: { name: "PORT", schema: portText(), default: 3000, description: "Port on which the API listens." },
  basePath: {
    name: "PUBLIC_BASE_PATH",
    schema: basePath,
    default: "",
    defaultText: "none",
    description: "Path that a proxy in front takes away, as it stands in links: /gateway.",
  },
  trustedProxyHops: {
    name: "TRUSTED_PROXY_HOPS",
    schema: integerText(0, 10),
    default: 0,
    description: "How many proxies in front may say whose address a request comes from.",
  },
  jwtSecrets: {
    name: "AUTH_JWT_SECRET",
    schema: secretList,
    optional: true,
    secret: true,
    description:
      "Shared secret of bearer tokens (HS256), at least 32 bytes; a second one after a comma while it is rotated.",
  },
  jwksUrl: {
    name: "AUTH_JWKS_URL",
    schema: urlText(["http", "https"]),
    optional: true,
    description: "Key set of the OIDC issuer of bearer tokens, instead of AUTH_JWT_SECRET.",
  },
  issuer: { name: "AUTH_ISSUER", schema: z.string(), optional: true, description: "Required iss of bearer tokens." },
  audience: {
    name: "AUTH_AUDIENCE",
    schema: z.string(),
    optional: true,
    description: "Required aud of bearer tokens.",
  },
  authoritiesClaim: {
    name: "AUTH_AUTHORITIES_CLAIM",
    schema: z.string(),
    default: "authorities",
    description: "Claim that holds the authorities: an array of strings, or scope, which is split on spaces.",
  },
  reportAuthorities: {
    name: "AUTH_REPORT_AUTHORITIES",
    schema: authorityOverrides,
    optional: true,
    description: "Other authorities for report types than the built-in ones: PROXY=MAY_SEE_PROXIES,PROXY_DOMAIN=….",
  },
  coalesceGetStarts: {
    name: "COALESCE_GET_STARTS",
    schema: flagText(),
    default: true,
    description: "Whether a repeated GET start gives back the report that is still open.",
  },
  shutdownDelaySeconds: {
    name: "SHUTDOWN_DELAY_SECONDS",
    schema: integerText(0, 600),
    default: 0,
    description: "Time between being not ready and not accepting after SIGTERM, for the balancer, in seconds.",
  },
  shutdownGraceSeconds: {
    name: "SHUTDOWN_GRACE_SECONDS",
    schema: integerText(0, 3600),
    default: 20,
    description: "How long requests and downloads may go on after SIGTERM, in seconds.",
  },
});

/** The API's configuration. */
export type ApiConfig = ConfigurationOf<typeof apiEnvironment>;

/** Reads and checks the environment; throws one ConfigurationError with every problem. */
export function readApiConfig(environment: EnvironmentText): ApiConfig {
  return readEnvironment(apiEnvironment, environment, [
    ...deploymentRules,
    atMostOneOf("jwtSecrets", "jwksUrl"),
    ({ isSet, nameOf }) =>
      isSet("jwksUrl") && !isSet("issuer")
        ? { variable: nameOf("issuer"), message: "must be set too, because AUTH_JWKS_URL is set" }
        : null,
  ]);
}
