import { formatTraceparent, newTraceparent, parseTraceparent } from "../traceparent.ts";

/** Attributes of a span. They must not contain search values of callers or names of people. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface SpanOptions {
  readonly kind: "server" | "consumer" | "internal";
  /** `traceparent` of the enclosing span. If it is missing or invalid, a new trace begins. */
  readonly parent?: string | null;
  readonly links?: readonly string[];
  /** A `traceparent` of this span that other processes can compute too and link to. Only for spans without a parent. Default: random. */
  readonly traceparent?: string;
  readonly attributes?: SpanAttributes;
}

/** A running operation in a trace. A span that is never ended is never exported. */
export interface Span {
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Adds an event. `atMs` is its time in epoch milliseconds. Default: now. */
  event(name: string, attributes?: SpanAttributes, atMs?: number): void;
  fail(reason: string): void;
  end(): void;
}

export interface Tracer {
  begin(name: string, options: SpanOptions): Span;
  /** Exports the ended spans and stops. Takes a few seconds at most. Never rejects. */
  close(): Promise<void>;
}

const doNothing = (): void => undefined;

/** Traces that record nothing. Each span still has a `traceparent`, which log lines contain. */
export const noopTracer: Tracer = {
  begin: (_, { parent, traceparent }) => ({
    traceparent: traceparent ?? formatTraceparent(newTraceparent(parseTraceparent(parent ?? undefined))),
    rename: doNothing,
    set: doNothing,
    event: doNothing,
    fail: doNothing,
    end: doNothing,
  }),
  close: async () => undefined,
};
