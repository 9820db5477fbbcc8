import { randomBytes } from "node:crypto";
import type { ReportVisibility } from "@reports/core/report";
import { readApiConfig, type ApiConfig } from "../config.ts";
import type { LimitsUnderTest } from "./limits-under-test.ts";

export interface TestApiConfigOptions {
  /** Packages of report types with object rows. Without a package, such rows have no preview. Default: none. */
  readonly typePackages?: { readonly modules: readonly string[]; readonly directory: string };
  readonly basePath?: string;
  readonly publicUrl?: string;
  readonly linkMaxSeconds?: number;
  readonly securityContact?: string;
  /** Whether the API has a WEBHOOK_KEY, and therefore webhooks. Default: true. */
  readonly webhooks?: boolean;
  readonly coalesceGetStarts?: boolean;
  /** Callers that see a report. Default: `type`, that is, all callers with the authority of the report type. */
  readonly reportVisibility?: ReportVisibility;
  /** Connections for lists, and the time limit of each list, including the wait for a connection. By default, the limit is longer than any test. */
  readonly listDatabase?: { readonly max?: number; readonly deadlineMs?: number };
  /** Maximum duration of a preview in milliseconds. By default, it is longer than any test. */
  readonly previewDeadlineMs?: number;
  readonly limits?: LimitsUnderTest;
  readonly trustedProxyHops?: number;
  readonly corsOrigins?: readonly string[];
}

export const testJwtSecret = "the-secret-that-the-tests-sign-tokens-with";
export const testWebhookKey = randomBytes(32).toString("base64");

const limitEveryLane = (limit: number) => ({ quick: limit, bulk: limit });

/** A deadline in ms that no test reaches. So if a request ends early, the deadline was not the cause. */
export const neverReachedDeadlineMs = 600_000;

/** Returns the default configuration of the API without limits. The options of the test override it. */
export function createTestApiConfig(databaseUrl: string, options: TestApiConfigOptions): ApiConfig {
  const environment = { DATABASE_URL: databaseUrl, STORAGE_DIR: "/unused", AUTH_JWT_SECRET: testJwtSecret };
  const plain = readApiConfig(environment);
  const { webhookKeys } = readApiConfig({ ...environment, WEBHOOK_KEY: testWebhookKey, PUBLIC_URL: "https://unused" });
  const { starts, logins, requestsPerMinute = 0, downloads, listsPerPrincipal = 0, overload } = options.limits ?? {};
  return {
    ...plain,
    ...(options.webhooks === false ? {} : { webhookKeys }),
    basePath: options.basePath ?? "",
    ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    linkMaxSeconds: options.linkMaxSeconds ?? 900,
    securityContact: options.securityContact,
    coalesceGetStarts: options.coalesceGetStarts ?? true,
    reportVisibility: options.reportVisibility ?? "type",
    trustedProxyHops: options.trustedProxyHops ?? 0,
    corsOrigins: options.corsOrigins ?? [],
    startLimitPerMinute: starts?.perMinute ?? 0,
    unfinishedLimit: starts?.unfinished ?? 0,
    startLimits: options.limits?.startsByAuthority,
    loginFailureLimit: logins?.perAddress ?? 0,
    accountFailureLimit: logins?.perAccount ?? 0,
    refusalLimitPerSecond: 0,
    requestLimitPerMinute: requestsPerMinute,
    listLimitPerPrincipal: listsPerPrincipal,
    listConnections: options.listDatabase?.max ?? 6,
    listTimeoutSeconds: (options.listDatabase?.deadlineMs ?? neverReachedDeadlineMs) / 1000,
    previewLimitPerMinute: options.limits?.previewsPerMinute ?? 0,
    reportTypes: [...(options.typePackages?.modules ?? [])],
    reportTypesDirectory: options.typePackages?.directory,
    previewTimeoutSeconds: (options.previewDeadlineMs ?? neverReachedDeadlineMs) / 1000,
    downloadLimit: downloads?.total ?? 0,
    downloadLimitPerPrincipal: downloads?.perPrincipal ?? 0,
    overloadQueueLength: limitEveryLane(overload?.waiting ?? 0),
    overloadQueueAgeSeconds: limitEveryLane(overload?.oldestWaitSeconds ?? 0),
  };
}
