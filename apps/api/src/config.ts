import {
  atMostOneOf,
  defineEnvironment,
  exactlyOneOf,
  flagText,
  integerText,
  listText,
  logLevels,
  oneOfText,
  portText,
  readEnvironment,
  togetherWith,
  urlText,
} from "@reports/runtime";
import type { ConfigurationOf, EnvironmentText } from "@reports/runtime";
import { z } from "zod";

const secretList = listText().refine(
  (secrets) => secrets.length <= 2 && secrets.every((secret) => Buffer.byteLength(secret) >= 32),
  "must be one secret, or two separated by a comma, of at least 32 bytes each",
);

const basePath = z
  .string()
  .regex(/^(?:\/[A-Za-z0-9._~-]+)+$/, "must be a path such as /gateway, without a slash at its end");

const authorityOverrides = listText().transform((entries, context) => {
  const pairs = entries.map((entry) => entry.split("=").map((side) => side.trim()));
  if (pairs.every((pair) => pair.length === 2 && pair.every((side) => side !== "")))
    return Object.fromEntries(pairs) as Record<string, string>;
  context.addIssue("must be TYPE=AUTHORITY, several separated by commas");
  return z.NEVER;
});

/** Every variable of the API, in the order of the README's table. contract §8. */
export const apiEnvironment = defineEnvironment({
  databaseUrl: {
    name: "DATABASE_URL",
    schema: urlText(["postgres", "postgresql"]),
    secret: true,
    description: "Postgres",
  },
  storageDir: { name: "STORAGE_DIR", schema: z.string(), optional: true, description: "folder for report files" },
  minioEndpoint: {
    name: "MINIO_ENDPOINT",
    schema: urlText(["http", "https"]),
    optional: true,
    description: "S3-compatible store for report files",
  },
  minioAccessKey: {
    name: "MINIO_ACCESS_KEY",
    schema: z.string(),
    optional: true,
    secret: true,
    description: "its access key",
  },
  minioSecretKey: {
    name: "MINIO_SECRET_KEY",
    schema: z.string(),
    optional: true,
    secret: true,
    description: "its secret key",
  },
  minioBucket: { name: "MINIO_BUCKET", schema: z.string(), optional: true, description: "its bucket" },
  minioRegion: { name: "MINIO_REGION", schema: z.string(), optional: true, description: "its region" },
  host: { name: "HOST", schema: z.string(), default: "0.0.0.0", description: "address to listen on" },
  port: { name: "PORT", schema: portText(), default: 3000, description: "port to listen on" },
  basePath: {
    name: "PUBLIC_BASE_PATH",
    schema: basePath,
    default: "",
    defaultText: "none",
    description: "path in front of the gateway's own, in links",
  },
  trustedProxyHops: {
    name: "TRUSTED_PROXY_HOPS",
    schema: integerText(0, 10),
    default: 0,
    description: "how many proxies in front may say whose address counts",
  },
  jwtSecrets: {
    name: "AUTH_JWT_SECRET",
    schema: secretList,
    optional: true,
    secret: true,
    description: "shared secret of bearer tokens (HS256); two while it is rotated",
  },
  jwksUrl: {
    name: "AUTH_JWKS_URL",
    schema: urlText(["http", "https"]),
    optional: true,
    description: "key set of the OIDC issuer",
  },
  issuer: { name: "AUTH_ISSUER", schema: z.string(), optional: true, description: "required iss of bearer tokens" },
  audience: { name: "AUTH_AUDIENCE", schema: z.string(), optional: true, description: "required aud of bearer tokens" },
  authoritiesClaim: {
    name: "AUTH_AUTHORITIES_CLAIM",
    schema: z.string(),
    default: "authorities",
    description: "claim that holds the authorities",
  },
  reportAuthorities: {
    name: "AUTH_REPORT_AUTHORITIES",
    schema: authorityOverrides,
    default: {},
    defaultText: "the built-in table",
    description: "authorities of report types: TYPE=AUTHORITY,…",
  },
  coalesceGetStarts: {
    name: "COALESCE_GET_STARTS",
    schema: flagText(),
    default: true,
    description: "whether a repeated GET start gives back the open report",
  },
  shutdownDelayMs: {
    name: "SHUTDOWN_DELAY_MS",
    schema: integerText(0, 60_000),
    default: 0,
    description: "time between being not ready and not accepting, for the balancer",
  },
  shutdownGraceMs: {
    name: "SHUTDOWN_GRACE_MS",
    schema: integerText(0, 600_000),
    default: 30_000,
    description: "time for running requests and downloads to end",
  },
  logLevel: {
    name: "LOG_LEVEL",
    schema: oneOfText(logLevels),
    default: "info",
    description: "least level of log lines",
  },
});

/** The API's configuration. */
export type ApiConfig = ConfigurationOf<typeof apiEnvironment>;

/** Reads the configuration. Throws one ConfigurationError that lists every problem. */
export function readApiConfig(environment: EnvironmentText): ApiConfig {
  return readEnvironment(apiEnvironment, environment, [
    exactlyOneOf("storageDir", "minioEndpoint"),
    togetherWith("minioEndpoint", "minioAccessKey", "minioSecretKey", "minioBucket"),
    atMostOneOf("jwtSecrets", "jwksUrl"),
  ]);
}
