import { ConfigurationError } from "@reports/runtime";
import { expect, test } from "vitest";
import { readWorkerConfig } from "./config.ts";

const valid = { DATABASE_URL: "postgres://gateway:hunter2@db:5432/reports", STORAGE_DIR: "/srv/reports" };

test.each<[variable: string, change: Record<string, string>]>([
  ["REPORT_DATABASE_URL", { REPORT_DATABASE_URL: "postgres://gateway:hunter2#@replica/reports" }],
  ["REPORT_DATABASE_URI", { REPORT_DATABASE_URI: "postgres://gateway:hunter2@replica/reports" }],
  ["REPORT_BRAND_NAME", { REPORT_BRAND_NAME: "x".repeat(61) }],
  ["REPORT_BRAND_COLOR", { REPORT_BRAND_COLOR: "blue" }],
  ["REPORT_BRAND_COLOUR", { REPORT_BRAND_COLOUR: "#1F4E79" }],
  ["WEBHOOK_CONCURRENCY", { WEBHOOK_CONCURRENCY: "many" }],
  ["WEBHOOK_DNS_SERVERS", { WEBHOOK_DNS_SERVERS: "dns.internal" }],
  ["WORKER_CONCURRENCY", { WORKER_CONCURRENCY: "0" }],
  ["WORKERS_CONCURRENCY", { WORKERS_CONCURRENCY: "4" }],
  ["WORKER_LANES", { WORKER_LANES: "quick,slow" }],
  ["WORKER_LANES", { WORKER_LANES: "quick,quick" }],
  ["WORKER_PORT", { WORKER_PORT: "tcp://10.0.0.7:80" }],
  ["SPOOL_MAX_BYTES", { SPOOL_MAX_BYTES: "2 gigabytes" }],
  ["REPORT_RUN_TIME_LIMIT_MINUTES", { REPORT_RUN_TIME_LIMIT_MINUTES: "1.5" }],
  ["REPORT_RETENTION_DAYS", { REPORT_RETENTION_DAYS: "a week" }],
  ["REPORT_RETENTION_DAY", { REPORT_RETENTION_DAY: "7" }],
  ["RECONCILER", { RECONCILER: "dryrun" }],
  ["RECONCILE_EVERY_MINUTES", { RECONCILE_EVERY_MINUTES: "0" }],
  ["FILE_READ_BYTES_PER_SECOND", { FILE_READ_BYTES_PER_SECOND: "fast" }],
  ["CSV_FORMULA_GUARD", { CSV_FORMULA_GUARD: "never" }],
  ["SHUTDOWN_GRACE_SECONDS", { SHUTDOWN_GRACE_SECONDS: "20s" }],
])("the worker's configuration refuses a wrong %s in one sentence with its name: %j", (variable, change) => {
  expect(() => readWorkerConfig(valid)).not.toThrow();
  const error = errorOf(() => readWorkerConfig({ ...valid, ...change }));
  expect(error.problems.map((problem) => problem.variable)).toEqual([variable]);
  const { message } = error.problems[0]!;
  expect(message).not.toMatch(/\n|hunter2/);
  expect(message.length).toBeLessThan(320);
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
