import { formatTraceparent, newTraceparent, parseTraceparent } from "../traceparent.ts";

/** What stands on a span. Never what callers search for, and no names of people. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** How a span begins. Other spans are named by their `traceparent`. */
export interface SpanOptions {
  readonly kind: "server" | "consumer" | "internal";
  /** The span that this one is a part of; without it a new trace begins. What is no `traceparent` counts as nothing. */
  readonly parent?: string | null;
  /** Spans that led to this one, of other traces. */
  readonly links?: readonly string[];
  /** What this span is called; made at random unless it is said, which lets whoever knows the rule link to it. Without a parent only. */
  readonly traceparent?: string;
  readonly attributes?: SpanAttributes;
}

/** A span that has begun. One that is never ended is never exported. */
export interface Span {
  /** W3C trace context of this span. */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** @param atMs in epoch ms, by the clock of who saw it; now unless said. */
  event(name: string, attributes?: SpanAttributes, atMs?: number): void;
  /** What the span stands for went wrong. */
  fail(reason: string): void;
  end(): void;
}

/** Where spans go. */
export interface Traces {
  begin(name: string, options: SpanOptions): Span;
  /** Exports what has ended, for at most some seconds. Never rejects. */
  close(): Promise<void>;
}

const nothing = (): void => undefined;

/** Records nothing, and yet gives each span a name: requests have one in logs whether they are traced or not. */
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
