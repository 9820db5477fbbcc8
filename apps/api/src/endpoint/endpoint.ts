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

/** One status's response. Headers are name → description. */
export type ResponseSpec = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, string>>;
} & (
  | {
      readonly kind: "json";
      readonly schema: z.ZodType;
      readonly streams?: boolean;
    }
  | { readonly kind: "bytes" | "text"; readonly mediaTypes: readonly string[] }
  | { readonly kind: "empty" | "problem" }
);

/** The framework has made every check that the endpoint declares. */
export interface EndpointInput<Query> {
  readonly method: Method | "HEAD";
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The parsed body, unchecked. Undefined for endpoints without one. */
  readonly body: unknown;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /** Checks the credentials again. Rejects with DomainError("unauthenticated") if they are invalid or lack an authority now. */
  confirmCaller(): Promise<void>;
  /** Writes the audit line now, before a late response, which then adds none. */
  auditNow(reply: Pick<Reply, "status" | "audit">): void;
  /** W3C trace context of this request. */
  readonly traceparent: string;
  readonly requestId: string;
  /** The client's address in canonical spelling, by which failures are counted. */
  readonly address: string;
  /** Serves a request without credentials as this principal. Throws RateLimitedError at the limit of `countedAs`. */
  actFor(principalId: string, countedAs: string): void;
}

/** Bytes are opened before the status is sent, and only if needed. HEAD checks them instead. */
export type ReplyBody =
  /** `kept` is the JSON of a constant value. */
  | { readonly kind: "json"; readonly value: unknown; readonly staticJson?: StaticText }
  | { readonly kind: "text"; readonly contentType: string; readonly text: string | StaticText }
  | {
      readonly kind: "bytes";
      readonly contentType: string;
      readonly sizeBytes: number;
      open(signal: AbortSignal): Promise<Readable>;
      check(signal: AbortSignal): Promise<void>;
    }
  /** Server-sent events. `open` rejects before a status is sent. Ends when the signal aborts. */
  | { readonly kind: "events"; open(signal: AbortSignal): Promise<AsyncIterable<string>> }
  /** `contentType` is GET's, for a HEAD that does less. */
  | { readonly kind: "empty"; readonly contentType?: string };

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
  /** Limits that this request counts towards, besides the limit on requests. */
  readonly quotas?: readonly QuotaState[];
  /** Added to the declared audit line. A safe method has an audit line only if this is set. */
  readonly audit?: AuditedReply;
}

/** One endpoint as data, for routing, checks, documentation and tests. */
export interface Endpoint {
  readonly method: Method;
  /** With parameters in braces: `/v1/reports/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** More than the summary, in whole sentences. */
  readonly description: string;
  readonly tag: Tag;
  readonly access: Access;
  /** On every unsafe method (a test checks this), and on safe ones whose calls are logged. */
  readonly audit?: AuditedAction;
  /** Path parameters, for the documentation. The handler returns 404 for other forms. */
  readonly params?: z.ZodObject;
  /** Query parameters, each given at most once. */
  readonly query?: z.ZodObject;
  /**
   * Reads a query with repeated or dependent names; `query` then only describes it. Called before a report or record is searched. The
   * handler gets the result as `query`. Throws DomainError("bad-request").
   */
  readQuery?(request: QueryRequest & Pick<Found, "definition">): unknown;
  readonly list?: { readonly filters: readonly string[]; readonly sorts: readonly string[] };
  /** The handler checks it against the schema, to report all problems together. */
  readonly body?: {
    readonly mediaTypes: readonly string[];
    readonly schema: z.ZodType;
    readonly example?: unknown;
    /** No body means `{}`. Set on every POST without required fields (a test checks this). */
    readonly isOptional?: true;
  };
  /** Request headers with an effect: name → description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Throws for a header or body that is wrong by itself, before a report or record is searched. */
  checkRequest?(request: Pick<EndpointInput<unknown>, "header" | "body">): void;
  /** Media types for `Accept`. If empty, the handler negotiates. */
  readonly produces: readonly string[];
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  // Method syntax, because inputs differ, and the adapter gives each its declared one.
  handle(input: EndpointInput<never> & Found): Promise<Reply>;
  /** HEAD, if it must do less than GET. */
  handleHead?(input: EndpointInput<never> & Found): Promise<Reply>;
}

interface Found {
  readonly definition: ReportTypeDefinition;
  readonly report: Report;
  readonly record: never;
}

/** Undefined unless the access is `record`: a `never` would pass as any record. */
type RecordOf<A extends Access> = A extends { readonly of: OwnedRecords<infer Rec> } ? Rec : undefined;

export interface QueryRequest extends Pick<EndpointInput<unknown>, "params" | "principal"> {
  readonly pairs: readonly QueryPair[];
}

type TypeOf<A extends Access> = A extends { readonly kind: "report-type" } ? Pick<Found, "definition"> : unknown;

export type InputOf<A extends Access, Query> = EndpointInput<Query> &
  TypeOf<A> &
  (A extends { readonly kind: "report" } ? Pick<Found, "report"> : unknown) & { readonly record: RecordOf<A> };

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

export function defineEndpoint<const A extends Access, Query extends z.ZodObject, Read = z.output<Query>>(
  endpoint: TypedEndpoint<A, Query, Read>,
): Endpoint {
  return endpoint;
}

/** Deletions can be repeated. */
export const deletedResponse = {
  204: { kind: "empty", description: "It is deleted, now or already." },
} as const satisfies Readonly<Record<number, ResponseSpec>>;

export function problems(descriptions: Readonly<Record<number, string>>): Readonly<Record<number, ResponseSpec>> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      Number(status),
      { kind: "problem", description } as const,
    ]),
  );
}
