import { isAbsolute } from "node:path";
import { z } from "zod";
import { logLevels } from "../log/logger.ts";
import { certificateFileSchema } from "./certificate-file-schema.ts";
import type { EnvironmentRule } from "./read-environment.ts";
import { createExactlyOneOfRule, createAllOrNoneRule } from "./rules.ts";
import { postgresIdentifierText, oneOfText, postgresUrlText, urlText } from "./text-schemas.ts";
import { defineEnvironment, type ConfigurationOf, type EnvironmentVariable } from "./variable.ts";

const storagePrefixText = z
  .string()
  .max(200)
  .regex(
    /^(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)*$/,
    'must be at most 200 characters: parts of A-Z a-z 0-9 . _ - joined by "/", none of them . or ..',
  )
  // With a part `reports`, the prefix could lead into the files of another deployment. The reconciler of that deployment would remove this
  // deployment's files as orphaned.
  .refine(
    (text) => !text.split("/").includes("reports"),
    "must have no folder called reports in it: files of other deployments lie there",
  );

export const deploymentVariables = defineEnvironment({
  databaseUrl: {
    name: "DATABASE_URL",
    schema: postgresUrlText(),
    secret: true,
    description:
      "Postgres 15 or newer, which holds records and jobs. TLS by sslmode, sslrootcert, sslcert and sslkey (docs/reference/tls.md).",
  },
  isProduction: {
    name: "NODE_ENV",
    schema: oneOfText(["production", "development", "test"]).transform((word) => word === "production"),
    default: false,
    defaultText: "development",
    description:
      "production, development or test. In production, the process warns of each unencrypted connection and refuses a relative STORAGE_DIR, and npm start has no database, store or keys of tokens of its own.",
  },
  storageDir: {
    name: "STORAGE_DIR",
    schema: z.string(),
    optional: true,
    description: "Folder of the report files, absolute in production; every process must see the same one.",
  },
  minioEndpoint: {
    name: "MINIO_ENDPOINT",
    schema: urlText(["http", "https"]),
    optional: true,
    description: "MinIO or another S3-compatible store that holds the report files, instead of STORAGE_DIR.",
  },
  minioAccessKey: {
    name: "MINIO_ACCESS_KEY",
    schema: z.string(),
    optional: true,
    secret: true,
    description: "Access key at MINIO_ENDPOINT.",
  },
  minioSecretKey: {
    name: "MINIO_SECRET_KEY",
    schema: z.string(),
    optional: true,
    secret: true,
    description: "Secret key at MINIO_ENDPOINT.",
  },
  minioBucket: { name: "MINIO_BUCKET", schema: z.string(), optional: true, description: "Bucket at MINIO_ENDPOINT." },
  minioAuthorities: {
    name: "MINIO_CA_FILE",
    schema: certificateFileSchema(),
    optional: true,
    description:
      "File (PEM) of the authorities that may sign the certificate of MINIO_ENDPOINT, instead of those that Node trusts.",
  },
  minioRegion: {
    name: "MINIO_REGION",
    schema: z.string(),
    optional: true,
    description: "Region of the store at MINIO_ENDPOINT, if it has one.",
  },
  storagePrefix: {
    name: "STORAGE_PREFIX",
    schema: storagePrefixText,
    optional: true,
    description:
      "Folder below STORAGE_DIR, or key prefix in the bucket, that belongs to this deployment alone, such as team-a/production.",
  },
  queueSchema: {
    name: "QUEUE_SCHEMA",
    schema: postgresIdentifierText(40),
    default: "report_queue",
    description:
      "Schema of the queue in Postgres and prefix of the schemas of its lanes; the migration command must get the same value.",
  },
  logLevel: {
    name: "LOG_LEVEL",
    schema: oneOfText(logLevels),
    default: "info",
    description: `How much is logged: ${logLevels.join(", ")}.`,
  },
});

export const deploymentVariableRules: readonly EnvironmentRule<
  typeof deploymentVariables & Readonly<Record<string, EnvironmentVariable>>
>[] = [
  createExactlyOneOfRule("storageDir", "minioEndpoint"),
  ({ values, nameOf }) =>
    values.isProduction === true && values.storageDir !== undefined && !isAbsolute(values.storageDir)
      ? { variable: nameOf("storageDir"), message: "must be an absolute path in production, such as /srv/reports" }
      : null,
  createAllOrNoneRule("minioEndpoint", "minioAccessKey", "minioSecretKey", "minioBucket"),
  ({ isSet, nameOf, values }) =>
    isSet("minioAuthorities") && values.minioEndpoint?.startsWith("https://") !== true
      ? { variable: nameOf("minioAuthorities"), message: "has no effect unless MINIO_ENDPOINT begins with https://" }
      : null,
];

type StoreConfiguration = Pick<
  ConfigurationOf<typeof deploymentVariables>,
  Extract<keyof typeof deploymentVariables, `${"minio" | "storage"}${string}`>
>;

/** Returns the settings of the chosen file store. They contain secrets in plain text, so never log or save them. */
export function fileStoreSettingsOf(configuration: StoreConfiguration): (
  | { readonly directory: string }
  | {
      readonly endpoint: string;
      readonly accessKey: string;
      readonly secretKey: string;
      readonly bucket: string;
      readonly authorities?: readonly string[];
      readonly region?: string;
    }
) & { readonly prefix?: string } {
  const below = configuration.storagePrefix === undefined ? {} : { prefix: configuration.storagePrefix };
  if (configuration.storageDir !== undefined) return { directory: configuration.storageDir, ...below };
  return {
    endpoint: configuration.minioEndpoint!,
    accessKey: configuration.minioAccessKey!.reveal(),
    secretKey: configuration.minioSecretKey!.reveal(),
    bucket: configuration.minioBucket!,
    ...(configuration.minioAuthorities === undefined ? {} : { authorities: configuration.minioAuthorities }),
    ...(configuration.minioRegion === undefined ? {} : { region: configuration.minioRegion }),
    ...below,
  };
}
