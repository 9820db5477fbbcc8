import {
  brandVariables,
  byteSizeText,
  defineEnvironment,
  deploymentVariableRules,
  deploymentVariables,
  booleanText,
  integerText,
  listText,
  defineOverloadVariables,
  portText,
  publicAddressVariables,
  readEnvironment,
  defineReportSourceVariables,
  reportTypeVariableRules,
  reportTypeVariables,
  scheduleVariables,
  traceVariables,
  webhookVariableRules,
  webhookVariables,
} from "@reports/runtime";
import { initialReportLanes } from "@reports/core/base";
import { mainReportSource, reportSourceEngines, reportVisibilities } from "@reports/core/report";
import type { ConfigurationOf, RawEnvironment } from "@reports/runtime";
import { z } from "zod";
import { consoleSettings } from "./console/console-settings.ts";
import { corsSettings } from "./cors-settings.ts";
import { limitSettings } from "./limits/limit-settings.ts";
import { previewSettings } from "./limits/preview-settings.ts";
import { securityContactSettings } from "./routes/security-contact.ts";
import { tokenRules, tokenSettings } from "./token-settings.ts";

const authorityOverridesText: z.ZodType<Readonly<Record<string, string>>, string> = listText().transform(
  (entries, context) => {
    const pairs = entries.map((entry) => /^(\w+) *= *(\S+)$/.exec(entry));
    if (pairs.every((pair) => pair !== null))
      return Object.fromEntries(pairs.map(([, type, authority]) => [type!, authority!]));
    context.addIssue("must be TYPE=AUTHORITY, several of them separated by commas");
    return z.NEVER;
  },
);

export const apiEnvironment = defineEnvironment({
  ...deploymentVariables,
  ...defineReportSourceVariables(reportSourceEngines, mainReportSource),
  ...reportTypeVariables,
  ...scheduleVariables,
  host: { name: "HOST", schema: z.string(), default: "0.0.0.0", description: "Address on which the API listens." },
  port: { name: "PORT", schema: portText(), default: 3000, description: "Port on which the API listens." },
  ...publicAddressVariables,
  ...webhookVariables,
  ...traceVariables,
  ...corsSettings,
  linkMaxSeconds: {
    name: "LINK_MAX_SECONDS",
    schema: integerText(0, 86_400),
    default: 900,
    description:
      "Longest lifetime of a download link, which gives a file without credentials, in seconds. 0 switches links off: their paths do not exist, and existing links no longer work.",
  },
  ...consoleSettings,
  ...brandVariables,
  ...securityContactSettings,
  probePort: {
    name: "PROBE_PORT",
    schema: portText(),
    optional: true,
    description:
      "A second port that serves only /health/live, /health/ready and /metrics, from the start of the process. PORT is then opened once the process is ready. PORT serves these paths too, on reserved connections if the others are in use. Without PROBE_PORT, PORT serves them from the start.",
  },
  connectionLimit: {
    name: "CONNECTION_LIMIT",
    schema: integerText(10, 100_000),
    default: 2_000,
    description: "Concurrent connections that each API instance accepts on PORT from all callers.",
  },
  connectionLimitPerAddress: {
    name: "CONNECTION_LIMIT_PER_ADDRESS",
    schema: integerText(0, 100_000),
    optional: true,
    defaultText: "200; 0 where TRUSTED_PROXY_HOPS is set",
    description:
      "Concurrent connections that each API instance accepts on PORT from one address (IPv6: one /64), whether a caller or a proxy in front; 0 for no limit.",
  },
  trustedProxyHops: {
    name: "TRUSTED_PROXY_HOPS",
    schema: integerText(0, 10),
    default: 0,
    description:
      "Number of proxies in front of the API. Each adds one address to X-Forwarded-For, which shows the client address of a request.",
  },
  ...tokenSettings,
  reportAuthorities: {
    name: "AUTH_REPORT_AUTHORITIES",
    schema: authorityOverridesText,
    optional: true,
    description:
      "Other authorities for report types than those with which they are registered: PROXY=MAY_SEE_PROXIES,PROXY_DOMAIN=….",
  },
  ...limitSettings,
  ...previewSettings,
  databaseConnections: {
    name: "DATABASE_CONNECTIONS",
    schema: integerText(2, 1_000),
    default: 10,
    description: "Postgres connections of each API instance for everything except lists.",
  },
  listConnections: {
    name: "LIST_CONNECTIONS",
    schema: integerText(1, 1_000),
    default: 6,
    description: "Postgres connections of each API instance that are reserved for lists.",
  },
  scheduleMinMinutes: {
    name: "SCHEDULE_MIN_MINUTES",
    schema: integerText(0, 1_440),
    default: 15,
    description: "Shortest time between two runs of a schedule, in minutes; 0 for no limit.",
  },
  ...defineOverloadVariables(initialReportLanes, "further starts in that lane get 429"),
  downloadLimit: {
    name: "DOWNLOAD_LIMIT",
    schema: integerText(0, 10_000),
    default: 200,
    description: "Concurrent downloads at each API instance; 0 for no limit.",
  },
  downloadLimitPerPrincipal: {
    name: "DOWNLOAD_LIMIT_PER_PRINCIPAL",
    schema: integerText(0, 10_000),
    default: 50,
    description: "Concurrent downloads of one principal at each API instance; 0 for no limit.",
  },
  slowReaderBytesPerSecond: {
    name: "SLOW_READER_BYTES_PER_SECOND",
    schema: integerText(0, 1_000_000),
    default: 1_024,
    description:
      "Slowest rate, in bytes a second, at which a caller may read a response while data are ready for it; 0 for no minimum.",
  },
  slowReaderPatienceSeconds: {
    name: "SLOW_READER_PATIENCE_SECONDS",
    schema: integerText(1, 3_600),
    default: 60,
    description: "How long a caller may read nothing of a response before its connection is closed, in seconds.",
  },
  unreadOutputBytes: {
    name: "UNREAD_OUTPUT_BYTES",
    schema: byteSizeText(1024 ** 2, 1024 ** 4),
    default: 64 * 1024 ** 2,
    defaultText: "64MiB",
    description:
      "Bytes of responses that each API instance may buffer for all of its callers; above that, the connections that have read nothing for the longest time are closed.",
  },
  watchLimit: {
    name: "WATCH_LIMIT",
    schema: integerText(0, 100_000),
    default: 1_000,
    description: "Concurrent waits for reports (Prefer: wait) and event streams at each API instance; 0 for no limit.",
  },
  watchLimitPerPrincipal: {
    name: "WATCH_LIMIT_PER_PRINCIPAL",
    schema: integerText(0, 100_000),
    default: 20,
    description:
      "Concurrent waits for reports (Prefer: wait) and event streams of one principal at each API instance; 0 for no limit.",
  },
  reportVisibility: {
    name: "REPORT_VISIBILITY",
    schema: z.enum(reportVisibilities, `must be one of ${reportVisibilities.join(", ")}`),
    default: "type",
    description:
      "Visibility of reports. `type`: every holder of its type's authority. `requester`: only its requester and holders of `REPORTS_ADMIN`, if they hold that authority.",
  },
  coalesceGetStarts: {
    name: "COALESCE_GET_STARTS",
    schema: booleanText(),
    default: true,
    description:
      "Whether a repeated GET start returns the unfinished report of the same caller instead of starting another.",
  },
  shutdownDelaySeconds: {
    name: "SHUTDOWN_DELAY_SECONDS",
    schema: integerText(0, 600),
    default: 0,
    description:
      "How long after SIGTERM the API reports not ready but still accepts connections, so that load balancers notice, in seconds.",
  },
  shutdownGraceSeconds: {
    name: "SHUTDOWN_GRACE_SECONDS",
    schema: integerText(0, 3600),
    default: 20,
    description: "How long running requests and downloads may continue after SIGTERM, in seconds.",
  },
});

export type ApiConfig = ConfigurationOf<typeof apiEnvironment>;

/** Reads the configuration of the API. Throws one ConfigurationError that lists every problem. */
export function readApiConfig(environment: RawEnvironment): ApiConfig {
  return readEnvironment(apiEnvironment, environment, [
    ...deploymentVariableRules,
    ...reportTypeVariableRules(apiEnvironment),
    ...webhookVariableRules,
    ...tokenRules,
    ({ isSet, nameOf, values: { issuer = "" } }) =>
      isSet("consoleOidcClientId") &&
      !(
        isSet("jwksUrl") &&
        URL.canParse(issuer) &&
        !(environment["NODE_ENV"] === "production" && isRemotePlaintextHttp(issuer))
      )
        ? {
            variable: nameOf("consoleOidcClientId"),
            message:
              "needs AUTH_JWKS_URL, and as AUTH_ISSUER the https:// address of an OIDC issuer: people sign in there, and the API takes its tokens",
          }
        : null,
    ({ nameOf, values: { bodyBytesLimit = Infinity, bodyBytesLimitPerPrincipal = 0 } }) =>
      bodyBytesLimitPerPrincipal > bodyBytesLimit
        ? {
            variable: nameOf("bodyBytesLimitPerPrincipal"),
            message: "must be at most BODY_BYTES_LIMIT: otherwise one principal's bodies could fill it for all others",
          }
        : null,
    ({ nameOf, values }) =>
      environment["NODE_ENV"] === "production" &&
      values.jwksUrl !== undefined &&
      isRemotePlaintextHttp(values.jwksUrl.reveal())
        ? {
            variable: nameOf("jwksUrl"),
            message: "must begin with https://, so that the keys cannot be changed in transit",
          }
        : null,
  ]);
}

/** Reports whether a URL uses HTTP without TLS to another machine, so that attackers in the network can read and change the traffic. */
function isRemotePlaintextHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
