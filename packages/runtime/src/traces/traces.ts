import { formatTraceparent, newTraceparent, parseTraceparent } from "../traceparent.ts";

/** Attributes must not contain search values of callers or names of people. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface SpanOptions {
  readonly kind: "server" | "consumer" | "internal";
  /** The enclosing span. If it is missing or invalid, a new trace begins. */
  readonly parent?: string | null;
  /** Spans of other traces that led to this one. */
  readonly links?: readonly string[];
  /** A predictable `traceparent`, to which other spans can link. Only for spans without a parent. Default: random. */
  readonly traceparent?: string;
  readonly attributes?: SpanAttributes;
}

/** A span that is never ended is never exported. */
export interface Span {
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** `atMs` is the time of the event in epoch milliseconds. Default: now. */
  event(name: string, attributes?: SpanAttributes, atMs?: number): void;
  fail(reason: string): void;
  end(): void;
}

export interface Traces {
  begin(name: string, options: SpanOptions): Span;
  /** Exports ended spans, for a few seconds at most. Never rejects. */
  close(): Promise<void>;
}

const doNothing = (): void => undefined;

/** Records nothing, but gives each span a `traceparent`, which logs show. */
export const noTraces: Traces = {
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
