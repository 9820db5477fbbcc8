import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Link,
  type SpanContext,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import { withDeadline } from "../deadline.ts";
import type { Logger } from "../log/logger.ts";
import { formatTraceparent, parseTraceparent, type Traceparent } from "../traceparent.ts";
import type { SpanAttributes, Tracer } from "./tracer.ts";

const spanKinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL } as const;
/** Milliseconds for which a batch waits for more ended spans before it is sent. */
const batchMs = 1_000;
const closeMs = 5_000;

export interface TraceExportOptions {
  readonly endpoint: string;
  /** Share of the traces begun in this process that are recorded, from 0 to 1. */
  readonly share: number;
  readonly service: string;
  readonly logger: Logger;
}

/** Creates a tracer that sends its spans in batches to a collector. If the collector is unavailable, spans are lost and one warning is logged. */
export function createExportingTracer(options: TraceExportOptions): Tracer {
  const { service, share, logger } = options;
  const exporter = new OTLPTraceExporter({ url: `${options.endpoint.replace(/\/$/, "")}/v1/traces` });
  const ids = createIdGenerator();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": service, "service.namespace": "reports" }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({ exporter: logFailures(exporter, logger), scheduledDelayMillis: batchMs }),
    ],
  });
  const tracer = provider.getTracer("reports");
  return {
    begin(name, { kind, parent, links = [], traceparent, attributes = {} }) {
      const parentContext = toSpanContext(parent);
      const span = ids.withNext(traceparent, () =>
        tracer.startSpan(
          name,
          { kind: spanKinds[kind], links: links.flatMap(toLink), attributes: omitUndefined(attributes) },
          parentContext === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parentContext),
        ),
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: formatTraceparent({ traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }),
        rename: (newName) => void span.updateName(newName),
        set: (more) => void span.setAttributes(omitUndefined(more)),
        event: (what, more = {}, atMs = Date.now()) => void span.addEvent(what, omitUndefined(more), atMs),
        fail: (message) => void span.setStatus({ code: SpanStatusCode.ERROR, message }),
        end: () => span.end(),
      };
    },
    async close() {
      await withDeadline(async () => provider.shutdown(), closeMs, "Exporting the last traces").catch(
        (error: unknown) => logger.warn("the last traces were not exported", { error }),
      );
    },
  };
}

/** Creates an ID generator for the SDK, through which `begin` sets the IDs of the next span. The SDK has no other way to set them. */
function createIdGenerator() {
  const random = new RandomIdGenerator();
  let next: Traceparent | null = null;
  return {
    generateTraceId: () => next?.traceId ?? random.generateTraceId(),
    generateSpanId: () => next?.spanId ?? random.generateSpanId(),
    withNext<Result>(traceparent: string | undefined, begin: () => Result): Result {
      next = parseTraceparent(traceparent);
      try {
        return begin();
      } finally {
        next = null;
      }
    },
  };
}

/** Logs a failed export once per outage, because a batch fails every second. */
function logFailures(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        if ((result.code as number) === 0) isFailing = false;
        else if (!isFailing) {
          isFailing = true;
          logger.warn("traces cannot be exported; they are lost until the collector answers", { error: result.error });
        }
        onResult(result);
      });
    },
    shutdown: async () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function toLink(traceparent: string): Link[] {
  const context = toSpanContext(traceparent);
  return context === null ? [] : [{ context }];
}

function toSpanContext(traceparent: string | null | undefined): SpanContext | null {
  const parsed = parseTraceparent(traceparent ?? undefined);
  if (parsed === null) return null;
  const { traceId, spanId, sampled } = parsed;
  return { traceId, spanId, traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

function omitUndefined(attributes: SpanAttributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value]],
    ),
  );
}
