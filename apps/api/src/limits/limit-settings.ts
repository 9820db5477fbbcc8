import { defaultLoginLimits, defaultStartLimits } from "@reports/core";
import { byteSizeText, integerText } from "@reports/runtime";
import { defaultBodyLimits, maxBodyBytes } from "./body-budget.ts";

/** The settings of what one principal, address or user name may ask for in a while, or send at once. */
export const limitSettings = {
  startLimitPerMinute: {
    name: "START_LIMIT_PER_MINUTE",
    schema: integerText(0, 1_000),
    default: defaultStartLimits.perMinute,
    description: "Reports that one principal may start within any minute, over all instances; 0 for no limit.",
  },
  unfinishedLimit: {
    name: "UNFINISHED_REPORT_LIMIT",
    schema: integerText(0, 100_000),
    default: defaultStartLimits.unfinished,
    description: "Reports of one principal that may wait or run at once, over all instances; 0 for no limit.",
  },
  loginFailureLimit: {
    name: "LOGIN_FAILURE_LIMIT_PER_MINUTE",
    schema: integerText(0, 1_000),
    default: defaultLoginLimits.perAddress,
    description:
      "Failed Basic logins of one address (of IPv6: one /64) within any minute, after which it gets 429 for Basic; 0 for no limit.",
  },
  accountFailureLimit: {
    name: "ACCOUNT_FAILURE_LIMIT_PER_MINUTE",
    schema: integerText(0, 1_000),
    default: defaultLoginLimits.perAccount,
    description:
      "Failed Basic logins with one user name within any minute, from whatever addresses, after which that name gets 429 for Basic; 0 for no limit.",
  },
  refusalLimitPerSecond: {
    name: "REFUSAL_LIMIT_PER_SECOND",
    schema: integerText(0, 100_000),
    default: 100,
    description:
      "Requests without valid credentials from one address (of IPv6: one /64) that an API instance refuses in a second, and five times as many from all addresses; the answers to further ones wait, for 2 s at the most; 0 for no limit.",
  },
  requestLimitPerMinute: {
    name: "READ_LIMIT_PER_MINUTE",
    schema: integerText(0, 1_000_000),
    default: 3_000,
    description: "Requests of one principal in a minute, reads above all, at each API instance; 0 for no limit.",
  },
  listLimitPerPrincipal: {
    name: "LIST_LIMIT_PER_PRINCIPAL",
    schema: integerText(0, 10_000),
    default: 3,
    description: "Lists of one principal that are read at once at each instance; 0 for no limit.",
  },
  listTimeoutSeconds: {
    name: "LIST_TIMEOUT_SECONDS",
    schema: integerText(1, 60),
    default: 3,
    description:
      "Time after which a list is given up, in seconds; where others are being read, it waits a second longer than that beforehand.",
  },
  bodyBytesLimit: {
    name: "BODY_BYTES_LIMIT",
    schema: byteSizeText(maxBodyBytes, 1024 ** 4),
    default: defaultBodyLimits.totalBytes,
    defaultText: "32MiB",
    description: "Bytes of request bodies that may be on their way into each instance at once, of all callers.",
  },
  bodyBytesLimitPerPrincipal: {
    name: "BODY_BYTES_LIMIT_PER_PRINCIPAL",
    schema: byteSizeText(maxBodyBytes, 1024 ** 4),
    default: defaultBodyLimits.perPrincipalBytes,
    defaultText: "4MiB",
    description:
      "Bytes of request bodies of one principal that may be on their way into each instance at once; at most BODY_BYTES_LIMIT.",
  },
} as const;
