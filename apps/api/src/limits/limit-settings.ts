import { defaultLoginLimits } from "@reports/core/caller";
import { defaultStartLimits } from "@reports/core/report";
import { byteSizeText, integerText } from "@reports/runtime";
import { defaultBodyMemoryLimits, maxBodyBytes } from "./body-memory-budget.ts";
import { startLimitsSchema } from "./start-limits.ts";

export const limitSettings = {
  startLimitPerMinute: {
    name: "START_LIMIT_PER_MINUTE",
    schema: integerText(0, 1_000),
    default: defaultStartLimits.perMinute,
    description: "Reports that one principal may start within any minute, over all API instances; 0 for no limit.",
  },
  unfinishedLimit: {
    name: "UNFINISHED_REPORT_LIMIT",
    schema: integerText(0, 100_000),
    default: defaultStartLimits.unfinished,
    description: "Unfinished reports of one principal over all API instances; 0 for no limit.",
  },
  startLimits: {
    name: "START_LIMITS",
    schema: startLimitsSchema,
    optional: true,
    description:
      "Other limits for principals with an authority, such as services: SERVICE_BATCH:2000/min:200 allows 2,000 starts within any minute and 200 unfinished reports; several of them separated by commas. If a principal has several of these authorities, the larger numbers count. 0 for no limit.",
  },
  loginFailureLimit: {
    name: "LOGIN_FAILURE_LIMIT_PER_MINUTE",
    schema: integerText(0, 1_000),
    default: defaultLoginLimits.perAddress,
    description:
      "Failed Basic logins from one address (IPv6: one /64) within any minute, after which Basic credentials from it get 429; 0 for no limit.",
  },
  accountFailureLimit: {
    name: "ACCOUNT_FAILURE_LIMIT_PER_MINUTE",
    schema: integerText(0, 1_000),
    default: defaultLoginLimits.perAccount,
    description:
      "Failed Basic logins with one user name, from all addresses, within any minute, after which Basic credentials with that name get 429; 0 for no limit.",
  },
  refusalLimitPerSecond: {
    name: "REFUSAL_LIMIT_PER_SECOND",
    schema: integerText(0, 100_000),
    default: 100,
    description:
      "Requests without valid credentials that each API instance refuses immediately, per second and address (IPv6: one /64). From all addresses together it is five times as many. Responses to further ones are delayed by up to 2 s. 0 for no limit.",
  },
  requestLimitPerMinute: {
    name: "READ_LIMIT_PER_MINUTE",
    schema: integerText(0, 1_000_000),
    default: 3_000,
    description: "Requests per minute of one principal at each API instance; 0 for no limit.",
  },
  listLimitPerPrincipal: {
    name: "LIST_LIMIT_PER_PRINCIPAL",
    schema: integerText(0, 10_000),
    default: 3,
    description:
      "Concurrent lists of one principal at each API instance, waiting ones included, and as many previews and estimates; 0 for no limit. An instance reads one list per principal at a time.",
  },
  listTimeoutSeconds: {
    name: "LIST_TIMEOUT_SECONDS",
    schema: integerText(1, 60),
    default: 3,
    description:
      "How long a list may take before it is stopped, in seconds. Before that, it waits for a connection for at most 2 × (this value + 1) seconds.",
  },
  bodyBytesLimit: {
    name: "BODY_BYTES_LIMIT",
    schema: byteSizeText(maxBodyBytes, 1024 ** 4),
    default: defaultBodyMemoryLimits.totalBytes,
    defaultText: "32MiB",
    description: "Bytes of request bodies that each API instance holds or receives at the same time, of all callers.",
  },
  bodyBytesLimitPerPrincipal: {
    name: "BODY_BYTES_LIMIT_PER_PRINCIPAL",
    schema: byteSizeText(maxBodyBytes, 1024 ** 4),
    default: defaultBodyMemoryLimits.perPrincipalBytes,
    defaultText: "4MiB",
    description:
      "Bytes of request bodies that each API instance holds or receives at the same time, per principal; at most BODY_BYTES_LIMIT.",
  },
} as const;
