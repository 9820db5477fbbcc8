import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { listenOnLoopback } from "./listen-on-loopback.ts";

interface WireAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface TraceExport {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

interface WireSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly WireAttribute[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly events: readonly { readonly name: string; readonly timeUnixNano: string }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

export async function startTraceCollector() {
  const spans: ReturnType<typeof readSpan>[] = [];
  const server = createServer((request, response) => {
    void json(request).then(
      (body) => {
        spans.push(...(request.url === "/v1/traces" ? readSpans(body as TraceExport) : []));
        response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
      },
      // An incomplete request is ignored, because a test may kill its sender or close the collector.
      (error: unknown) => {
        if (request.complete) throw error;
      },
    );
  });
  const { origin, ...disposable } = await listenOnLoopback(server);
  return { url: origin, spans, ...disposable };
}

function readSpans({ resourceSpans }: TraceExport) {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)["service.name"]);
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => readSpan(span, service)));
  });
}

function readSpan(span: WireSpan, service: string) {
  const { name, traceId, spanId, parentSpanId = "", status } = span;
  return {
    service,
    name,
    traceId,
    spanId,
    parentSpanId,
    startMs: toMs(span.startTimeUnixNano),
    endMs: toMs(span.endTimeUnixNano),
    attributes: attributesOf(span.attributes),
    links: span.links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    events: span.events.map((event) => ({ name: event.name, atMs: toMs(event.timeUnixNano) })),
    failure: status.code === 2 ? (status.message ?? "") : null,
  };
}

function attributesOf(attributes: readonly WireAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function toMs(nanoseconds: string): number {
  return Number(BigInt(nanoseconds) / 1_000n) / 1_000;
}
