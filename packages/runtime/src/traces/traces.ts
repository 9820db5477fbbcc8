import { formatTraceparent, newTraceparent, parseTraceparent } from "../traceparent.ts";

/** Never callers' search values, and no names of people. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Other spans are named by their `traceparent`. */
export interface SpanOptions {
  readonly kind: "server" | "consumer" | "internal";
  /** The enclosing span; without it, or if it is no `traceparent`, a new trace begins. */
  readonly parent?: string | null;
  /** Spans of other traces that led to this one. */
  readonly links?: readonly string[];
  /** Without a parent only: a deterministic name, to which others can link. Default random. */
  readonly traceparent?: string;
  readonly attributes?: SpanAttributes;
}

/** A span that is never ended is never exported. */
export interface Span {
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** `atMs` is the observer's clock in epoch ms; default now. */
  event(name: string, attributes?: SpanAttributes, atMs?: number): void;
  fail(reason: string): void;
  end(): void;
}

export interface Traces {
  begin(name: string, options: SpanOptions): Span;
  /** Exports ended spans, for a few seconds at most. Never rejects. */
  close(): Promise<void>;
}

const nothing = (): void => undefined;

/** Records nothing, but names each span: requests have one in logs. */
export const noTraces: Traces = {
  begin: (_, { parent, traceparent }) => ({
    traceparent: traceparent ?? formatTraceparent(newTraceparent(parseTraceparent(parent ?? undefined))),
    rename: nothing,
    set: nothing,
    event: nothing,
    fail: nothing,
    end: nothing,
  }),
  close: async () => undefined,
};
