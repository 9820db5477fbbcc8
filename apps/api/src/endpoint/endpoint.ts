import type { Readable } from "node:stream";
import type { Principal } from "@reports/auth";
import type { QuotaState } from "@reports/core/caller";
import type { Report, ReportTypeDefinition } from "@reports/core/report";
import type { z } from "zod";
import type { QueryPair } from "../http/query.ts";
import type { StaticText } from "../http/static-text.ts";
import type { Access } from "./access.ts";
import type { AuditedAction, AuditedReply } from "./audited-action.ts";
import type { OwnedRecords } from "./owned-records.ts";
import type { Tag } from "./tag.ts";

/** Methods of endpoints. HEAD comes with every GET, OPTIONS with every path. */
export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

/** What one status of an endpoint looks like. Headers are name → description. */
export type ResponseSpec = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, string>>;
} & (
  | {
      readonly kind: "json";
      readonly schema: z.ZodType;
      /** Whether callers may have it as an event stream instead. */
      readonly streams?: boolean;
    }
  | { readonly kind: "bytes" | "text"; readonly mediaTypes: readonly string[] }
  | { readonly kind: "empty" | "problem" }
);

/** What an endpoint is called with, after every check that its description allows to make beforehand. */
export interface EndpointInput<Query> {
  readonly method: Method | "HEAD";
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The parsed body, not yet checked against anything; undefined for endpoints without one. */
  readonly body: unknown;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /**
   * For answers that take long: judges the credentials again. Rejects with DomainError("unauthenticated") when they do not stand for the
   * caller any more, or for fewer authorities than when the request came; with other errors where that cannot be told.
   */
  confirmCaller(): Promise<void>;
  /**
   * For answers that come later than the action: has it written to the audit log now, as this reply says it, and not once more with the answer.
   */
  recordDone(reply: Pick<Reply, "status" | "audit">): void;
  /** W3C trace context of this request. */
  readonly traceparent: string;
  readonly requestId: string;
  /** From where the request comes, in the spelling by which failures are counted. */
  readonly address: string;
  /**
   * Of an endpoint without credentials that serves in somebody's name: from now on logs and the slots of downloads have this principal.
   * Counts the request against the limit on requests under a key of its own. Throws RateLimitedError where that is reached.
   */
  actFor(principalId: string, countedAs: string): void;
}

/** The body of a reply. Bytes are opened only when they are going to be sent, and before the status is; for HEAD they are checked. */
export type ReplyBody =
  /** `kept` is the value's JSON where it is always the same. */
  | { readonly kind: "json"; readonly value: unknown; readonly kept?: StaticText }
  | { readonly kind: "text"; readonly contentType: string; readonly text: string | StaticText }
  | {
      readonly kind: "bytes";
      readonly contentType: string;
      readonly sizeBytes: number;
      open(signal: AbortSignal): Promise<Readable>;
      /** Rejects as open would. */
      check(signal: AbortSignal): Promise<void>;
    }
  /** Server-sent events, as texts. Rejects while a status can still say so; the iteration ends when the signal aborts. */
  | { readonly kind: "events"; open(signal: AbortSignal): Promise<AsyncIterable<string>> }
  /** `contentType` is that of GET, for a HEAD that does less than GET. */
  | { readonly kind: "empty"; readonly contentType?: string };

/** What an endpoint answers. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
  /** What is left of the limits that this request counts against, beside that on requests. */
  readonly quotas?: readonly QuotaState[];
  /** What the audit log is to say beside what the endpoint declares. The reply of a safe method is written down where this is set. */
  readonly audit?: AuditedReply;
}

/** One endpoint as data: routing, checks, documentation and tests all read this. */
export interface Endpoint {
  readonly method: Method;
  /** With parameters in braces: `/v1/reports/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** What callers should know beyond the summary, in whole sentences. */
  readonly description: string;
  /** What it is grouped by in the documentation. */
  readonly tag: Tag;
  readonly access: Access;
  /** Every endpoint whose method is not safe has it (a test holds them to it), and those safe ones that are written down. */
  readonly audit?: AuditedAction;
  /** The path's parameters, for the documentation. A value that does not fit is a 404 of the handler. */
  readonly params?: z.ZodObject;
  /** The query's parameters, each given at most once. */
  readonly query?: z.ZodObject;
  /**
   * Reads a query in which names may repeat or depend on each other; `query` then only describes it. Called before a report or a record is
   * looked for. The handler gets the result as `query`. Throws DomainError("bad-request").
   */
  readQuery?(request: QueryRequest & Pick<Found, "definition">): unknown;
  /** By what a list filters and sorts, for the documentation. */
  readonly list?: { readonly filters: readonly string[]; readonly sorts: readonly string[] };
  /** The body that it needs. The handler checks it against the schema, so that it can answer with pointers and all problems at once. */
  readonly body?: {
    readonly mediaTypes: readonly string[];
    readonly schema: z.ZodType;
    readonly example?: unknown;
    /** No body and no Content-Type are the same as `{}`: every POST whose body has no required field says so (a test holds them to it). */
    readonly isOptional?: true;
  };
  /** Request headers that count: name → description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Throws for a header or a body that is wrong by itself, before a report or a record is looked for. */
  checkRequest?(request: Pick<EndpointInput<unknown>, "header" | "body">): void;
  /** What `Accept` chooses from before the handler is called; empty: the handler negotiates. */
  readonly produces: readonly string[];
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  // Method syntax: the inputs of endpoints differ, and the adapter gives each what it has declared.
  handle(input: EndpointInput<never> & Found): Promise<Reply>;
  /** What HEAD does where it must do less than GET. */
  handleHead?(input: EndpointInput<never> & Found): Promise<Reply>;
}

/** What the check of an endpoint's access has found for its handler. */
interface Found {
  readonly definition: ReportTypeDefinition;
  readonly report: Report;
  /** Of the type that the access declares. */
  readonly record: never;
}

/** The type of the loaded record; never, unless the access is `record`. */
type RecordOf<A extends Access> = A extends { readonly of: OwnedRecords<infer Rec> } ? Rec : never;

/** The parts of a request that the reading of a query may depend on. */
export interface QueryRequest extends Pick<EndpointInput<unknown>, "params" | "principal"> {
  /** The whole query, decoded. */
  readonly pairs: readonly QueryPair[];
}

type TypeOf<A extends Access> = A extends { readonly kind: "report-type" } ? Pick<Found, "definition"> : unknown;

/** The input of a handler, by the access of its endpoint and the type of its query. */
export type InputOf<A extends Access, Query> = EndpointInput<Query> &
  TypeOf<A> &
  (A extends { readonly kind: "report" } ? Pick<Found, "report"> : unknown) & { readonly record: RecordOf<A> };

/** An endpoint whose handler's input has the types that its description declares. */
export interface TypedEndpoint<A extends Access, Query extends z.ZodObject, Read> extends Omit<
  Endpoint,
  "readQuery" | "handle" | "handleHead"
> {
  readonly access: A;
  readonly query?: Query;
  readQuery?(request: QueryRequest & TypeOf<A>): Read;
  handle(input: InputOf<A, Read>): Promise<Reply>;
  handleHead?(input: InputOf<A, Read>): Promise<Reply>;
}

/** Writes an endpoint down. */
export function defineEndpoint<const A extends Access, Query extends z.ZodObject, Read = z.output<Query>>(
  endpoint: TypedEndpoint<A, Query, Read>,
): Endpoint {
  return endpoint;
}

/** Describes those statuses of an endpoint that are problems. */
export function problems(descriptions: Readonly<Record<number, string>>): Readonly<Record<number, ResponseSpec>> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      Number(status),
      { kind: "problem", description } as const,
    ]),
  );
}
