import { keySetStates, type KeySetState } from "@reports/auth";
import { DomainError, storeStates, type StoreState } from "@reports/core/base";
import { createReadinessCheck, createCachedRead, type HealthCheck, type Logger, type Metrics } from "@reports/runtime";
import { z } from "zod";
import {
  defineEndpoint,
  replyJson,
  describeJson,
  describeProblems,
  noStore,
  type Endpoint,
} from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import type { ApiTimings } from "../clocks.ts";
import { createStaticText } from "../http/static-text.ts";

const livenessSchema = z
  .strictObject({ status: z.enum(["ok"]).meta({ description: "The process answers." }) })
  .meta({ id: "Liveness", description: "The process answers." });

const readinessSchema = z
  .strictObject({
    status: z.enum(["ok"]).meta({ description: "The process can serve requests." }),
    store: z.enum(storeStates).meta({
      id: "StoreState",
      description:
        "The file store, which only downloads need. `mismatch`: it does not belong to the database, and downloads get 503.",
    }),
    issuerKeys: z.enum(keySetStates).optional().meta({
      id: "KeySetState",
      description:
        "The signing keys of the token issuer, if AUTH_JWKS_URL is set. `stale`: the issuer does not respond, and its earlier keys are used. `unavailable`: there are no keys, and tokens of the issuer get 503.",
    }),
    checks: z
      .record(
        z.string(),
        z
          .strictObject({
            status: z.enum(["ok"]).meta({ description: "It works." }),
            durationMs: z.number().meta({ description: "How long the check took, in milliseconds." }),
          })
          .meta({ id: "ReadinessCheck", description: "A dependency that works, and how long its check took." }),
      )
      .meta({ description: "Dependencies that the process needs, by name, with the result of their checks." }),
  })
  .meta({ id: "Readiness", description: "Every dependency that the process needs works." });

export interface HealthAndMetricsDeps {
  readonly checks: Readonly<Record<string, HealthCheck>>;
  readonly clocks: Pick<ApiTimings, "healthCheckMs">;
  readonly storeState: () => StoreState;
  readonly issuerKeysState: (() => KeySetState) | undefined;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export function healthAndMetricsEndpoints(deps: HealthAndMetricsDeps): readonly Endpoint[] {
  const readiness = createReadinessCheck({
    checks: deps.checks,
    timeoutMs: deps.clocks.healthCheckMs,
    logger: deps.logger,
  });
  const metrics = createCachedRead(async () => {
    const { contentType, body } = await deps.metrics.render();
    return { contentType, text: createStaticText(body) };
  }, deps.metrics.renderedFor);
  return [
    defineEndpoint({
      method: "GET",
      path: "/health/live",
      operationId: "healthLive",
      summary: "Whether the process answers",
      description: "Checks the process alone: restart it when this fails.",
      tag: openApiTags.operations,
      access: { kind: "public" },
      responses: {
        200: describeJson("It does.", livenessSchema),
      },
      handle: async () => replyJson({ status: "ok" }),
    }),
    defineEndpoint({
      method: "GET",
      path: "/health/ready",
      operationId: "healthReady",
      summary: "Whether the process can serve requests",
      description: "Checks the database and its schema: send no requests here while this fails.",
      tag: openApiTags.operations,
      access: { kind: "public" },
      responses: {
        200: describeJson(
          "Every dependency that the process needs works; `store` and `issuerKeys` report on those that it can do without.",
          readinessSchema,
        ),
        ...describeProblems({ 503: "A dependency does not work, or the process is stopping." }),
      },
      async handle() {
        const report = await readiness();
        if (report.status === "ok") {
          return replyJson({
            status: report.status,
            store: deps.storeState(),
            ...(deps.issuerKeysState === undefined ? {} : { issuerKeys: deps.issuerKeysState() }),
            checks: report.checks,
          });
        }
        const failing = Object.entries(report.checks).filter(([, { status }]) => status !== "ok");
        throw new DomainError("unavailable", "not-ready", `Not ready: ${failing.map(([name]) => name).join(", ")}.`, {
          issues: failing.map(([name, { status }]) => ({ code: "check_failed", message: `${name}: ${status}` })),
          retryAfterSeconds: 1,
        });
      },
    }),
    defineEndpoint({
      method: "GET",
      path: "/metrics",
      operationId: "metrics",
      summary: "Metrics in the text format of Prometheus",
      description: "Counters, gauges and histograms of this process and its Node.js.",
      tag: openApiTags.operations,
      access: { kind: "public" },
      // The API ignores Accept for /metrics. Some monitoring systems do not name this format in Accept, although they can read it.
      produces: [],
      responses: {
        200: { kind: "text", description: "The metrics.", mediaTypes: ["text/plain"], headers: noStore },
      },
      handle: async () => ({ status: 200, headers: noStore, body: { kind: "text", ...(await metrics()) } }),
    }),
  ];
}
