import { ConfigurationError } from "@reports/runtime";
import { expect, test } from "vitest";
import { readApiConfig } from "./config.ts";

const store = {
  MINIO_ENDPOINT: "https://s3.internal",
  MINIO_ACCESS_KEY: "key",
  MINIO_SECRET_KEY: "hunter2",
  MINIO_BUCKET: "b",
};
const folder = { STORAGE_DIR: "/srv/reports" };
const database = "postgres://gateway:hunter2@db:5432/reports";
const valid = { DATABASE_URL: database, ...folder, AUTH_JWT_SECRET: "a-secret-of-more-than-thirty-two-bytes" };
const issuer = {
  AUTH_JWT_SECRET: "",
  AUTH_JWKS_URL: "https://issuer.example/keys",
  AUTH_ISSUER: "https://issuer.example",
};

test.each<[variable: string, change: Record<string, string>]>([
  ["DATABASE_URL", { DATABASE_URL: "" }],
  ["DATABASE_URL", { DATABASE_URL: "mysql://gateway:hunter2@db/reports" }],
  ["DATABASE_URL", { DATABASE_URL: "postgres://gateway:hunter2#@db/reports" }],
  ["DATABASE_URL", { DATABASE_URL: "postgres://gateway:1/hunter2@db/reports" }],
  ["DATABASE_URL", { DATABASE_URL: "postgres://gateway:hunter2?@db/reports" }],
  ["DATABASE_URL", { DATABASE_URL: "postgres://gateway:hunter2%@db/reports" }],
  ["DATABASE_URL", { DATABASE_URL: "postgres://gateway:hunter2@db1,db2/reports" }],
  ["DATABASE_URL", { DATABASE_URL_FILE: "/run/secrets/url" }],
  ["DATABASE_URL", { DATABASE_URL: "", DATABASE_URL_FILE: "/missing/url" }],
  ["DATABASE_URI", { DATABASE_URI: database }],
  ["NODE_ENV", { NODE_ENV: "prod" }],
  ["NODE_ENV", { NODE_ENV: "Production" }],
  ["STORAGE_DIR, MINIO_ENDPOINT", { STORAGE_DIR: "" }],
  ["STORAGE_DIR, MINIO_ENDPOINT", { ...store }],
  ["STORAGE_DIR", { STORAGE_DIR: "files", NODE_ENV: "production" }],
  ["STORAGE_DIRS", { STORAGE_DIRS: "/srv/files" }],
  ["MINIO_ENDPOINT", { ...store, STORAGE_DIR: "", MINIO_ENDPOINT: "s3.internal:9000" }],
  ["MINIO_BUCKET", { ...store, STORAGE_DIR: "", MINIO_BUCKET: "" }],
  ["MINIO_CA_FILE", { ...store, STORAGE_DIR: "", MINIO_CA_FILE: "/missing/ca.pem" }],
  ["STORAGE_PREFIX", { STORAGE_PREFIX: "team/reports" }],
  ["QUEUE_SCHEMA", { QUEUE_SCHEMA: "Report-Queue" }],
  ["QUEUE_SCHEMA", { QUEUE_SCHEMA: "pg_queue" }],
  ["LOG_LEVEL", { LOG_LEVEL: "verbose" }],
  ["LOG_LEVELS", { LOG_LEVELS: "debug" }],
  ["REPORT_SOURCES", { REPORT_SOURCES: "Billing Data" }],
  ["REPORT_SOURCE_BILLING_URL", { REPORT_SOURCES: "billing" }],
  [
    "REPORT_SOURCE_BILLING_ENGINE",
    { REPORT_SOURCES: "billing", REPORT_SOURCE_BILLING_URL: database, REPORT_SOURCE_BILLING_ENGINE: "oracle" },
  ],
  [
    "REPORT_SOURCE_BILING_URL",
    { REPORT_SOURCES: "billing", REPORT_SOURCE_BILLING_URL: database, REPORT_SOURCE_BILING_URL: database },
  ],
  ["REPORT_TYPES", { BUILT_IN_REPORT_TYPES: "false" }],
  ["BUILT_IN_REPORT_TYPES", { BUILT_IN_REPORT_TYPES: "maybe" }],
  ["PUBLIC_BASE_PATH", { PUBLIC_BASE_PATH: "gateway/" }],
  ["PUBLIC_URL", { PUBLIC_URL: "reports.example.com" }],
  ["WEBHOOK_KEY", { WEBHOOK_KEY: "hunter2", PUBLIC_URL: "https://reports.example.com" }],
  ["PORT", { PORT: "http" }],
  ["PORT", { PORT: "65536" }],
  ["PROBE_PORT", { PROBE_PORT: "-1" }],
  ["CORS_ORIGINS", { CORS_ORIGINS: "*" }],
  ["CORS_ORIGINS", { CORS_ORIGINS: "https://app.example.com/" }],
  ["CORS_ORIGINS", { CORS_ORIGINS: "app.example.com" }],
  ["LINK_MAX_SECONDS", { LINK_MAX_SECONDS: "15m" }],
  ["CONSOLE", { CONSOLE: "enabled" }],
  ["CONSOLE_OIDC_CLIENT_ID", { CONSOLE_OIDC_CLIENT_ID: "console" }],
  ["TRUSTED_PROXY_HOPS", { TRUSTED_PROXY_HOPS: "all" }],
  ["TRUSTED_PROXY_HOP", { TRUSTED_PROXY_HOP: "1" }],
  ["AUTH_JWT_SECRET", { AUTH_JWT_SECRET: "hunter2" }],
  ["AUTH_JWT_SECRET", { AUTH_JWT_SECRET: "hunter2".repeat(8) }],
  ["AUTH_ISSUER", { ...issuer, AUTH_AUDIENCE: "reports", AUTH_ISSUER: "" }],
  ["AUTH_AUDIENCE", { ...issuer }],
  [
    "AUTH_JWKS_URL",
    { ...issuer, AUTH_AUDIENCE: "reports", AUTH_JWKS_URL: "http://issuer.example/keys", NODE_ENV: "production" },
  ],
  ["AUTH_TOKEN_TYPE", { AUTH_TOKEN_TYPE: "jwt" }],
  ["AUTH_REPORT_AUTHORITIES", { AUTH_REPORT_AUTHORITIES: "PROXY" }],
  ["START_LIMITS", { START_LIMITS: "SERVICE_BATCH=2000" }],
  ["START_LIMIT_PER_MINUT", { START_LIMIT_PER_MINUT: "7" }],
  ["BODY_BYTES_LIMIT", { BODY_BYTES_LIMIT: "32 megabytes" }],
  ["BODY_BYTES_LIMIT_PER_PRINCIPAL", { BODY_BYTES_LIMIT: "1MiB", BODY_BYTES_LIMIT_PER_PRINCIPAL: "2MiB" }],
  ["DATABASE_CONNECTIONS", { DATABASE_CONNECTIONS: "0" }],
  ["OVERLOAD_QUEUE_LENGTH", { OVERLOAD_QUEUE_LENGTH: "fast:100" }],
  ["REPORT_VISIBILITY", { REPORT_VISIBILITY: "everybody" }],
  ["OTEL_TRACES_SAMPLER_ARG", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_TRACES_SAMPLER_ARG: "50%" }],
  ["SECURITY_CONTACT", { SECURITY_CONTACT: "security@example.com" }],
])("the API's configuration refuses a wrong %s in one sentence that names it: %j", (variable, change) => {
  expect(() => readApiConfig(valid)).not.toThrow();
  const error = errorOf(() => readApiConfig({ ...valid, ...change }));
  expect(error.problems.map((problem) => problem.variable)).toEqual([variable]);
  const { message } = error.problems[0]!;
  expect(message).not.toMatch(/\n|hunter2/);
  expect(message.length).toBeLessThan(320);
});

test("the API does not report variables of other software as misspelt settings", () => {
  const others = {
    WORKERS_PORT: "tcp://10.0.0.7:80",
    HOSTS: "a",
    PORTS: "1",
    DATABASE_HOST: "db",
    NODE_OPTIONS: "--x",
  };
  expect(() => readApiConfig({ ...valid, ...others, DATABASE_URI: "", SPOOL_DIR: "/spool" })).not.toThrow();
});

function errorOf(work: () => unknown): ConfigurationError {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error("The configuration was accepted.");
}
