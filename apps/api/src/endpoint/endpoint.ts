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

/** Describes the response of one status. Headers are name → description. */
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

/** The input of a handler. The framework has made every check that the endpoint declares. */
export interface EndpointInput<Query> {
  readonly method: Method | "HEAD";
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The parsed body. The handler checks it. Undefined for endpoints without a body. */
  readonly body: unknown;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /**
   * Checks the credentials again during a long response. Rejects with DomainError("unauthenticated") if they are no longer valid for the
   * caller, or have lost an authority since the request. Rejects with other errors if they cannot be checked.
   */
  confirmCaller(): Promise<void>;
  /** Writes the action to the audit log now, for a response that comes later. The response then adds no second line. */
  recordDone(reply: Pick<Reply, "status" | "audit">): void;
  /** W3C trace context of this request. */
  readonly traceparent: string;
  readonly requestId: string;
  /** The client's address, in the spelling by which failures are counted. */
  readonly address: string;
  /**
   * Serves a request without credentials for this principal, in logs and download slots. Counts the request towards the limit on requests
   * under a separate key. Throws RateLimitedError if that limit is reached.
   */
  actFor(principalId: string, countedAs: string): void;
}

/** The body of a reply. Bytes are opened before the status is sent, and only if they are needed. HEAD checks them instead. */
export type ReplyBody =
  /** `kept` is the JSON of a value that never changes. */
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
  /** Server-sent events, as texts. `open` rejects before a status is sent. The iteration ends when the signal aborts. */
  | { readonly kind: "events"; open(signal: AbortSignal): Promise<AsyncIterable<string>> }
  /** `contentType` is that of GET, for a HEAD that does less than GET. */
  | { readonly kind: "empty"; readonly contentType?: string };

/** The reply of a handler. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
  /** The state of the limits that this request counts towards, in addition to the limit on requests. */
  readonly quotas?: readonly QuotaState[];
  /** Added to the audit line that the endpoint declares. A safe method has an audit line only if this is set. */
  readonly audit?: AuditedReply;
}

/** One endpoint as data: routing, checks, documentation and tests all read this. */
export interface Endpoint {
  readonly method: Method;
  /** With parameters in braces: `/v1/reports/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Explains more than the summary, in whole sentences. */
  readonly description: string;
  /** Its group in the documentation. */
  readonly tag: Tag;
  readonly access: Access;
  /** Every endpoint with an unsafe method has it (a test checks this). A safe one has it if its calls are logged. */
  readonly audit?: AuditedAction;
  /** The path's parameters, for the documentation. For a value of another form, the handler returns 404. */
  readonly params?: z.ZodObject;
  /** The query's parameters, each given at most once. */
  readonly query?: z.ZodObject;
  /**
   * Reads a query in which names may repeat or depend on each other; `query` then only describes it. Called before a report or a record is
   * looked for. The handler gets the result as `query`. Throws DomainError("bad-request").
   */
  readQuery?(request: QueryRequest & Pick<Found, "definition">): unknown;
  /** The filters and sorts of a list, for the documentation. */
  readonly list?: { readonly filters: readonly string[]; readonly sorts: readonly string[] };
  /** The body. The handler checks it against the schema, so that it can report all problems together, with pointers. */
  readonly body?: {
    readonly mediaTypes: readonly string[];
    readonly schema: z.ZodType;
    readonly example?: unknown;
    /** Set if no body means `{}`. Every POST whose body has no required field sets it (a test checks this). */
    readonly isOptional?: true;
  };
  /** Request headers that count: name → description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Throws for a header or a body that is wrong by itself, before a report or a record is looked for. */
  checkRequest?(request: Pick<EndpointInput<unknown>, "header" | "body">): void;
  /** The media types that `Accept` chooses from. If it is empty, the handler negotiates. */
  readonly produces: readonly string[];
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  // Method syntax: the inputs of endpoints differ, and the adapter gives each what it has declared.
  handle(input: EndpointInput<never> & Found): Promise<Reply>;
  /** What HEAD does where it must do less than GET. */
  handleHead?(input: EndpointInput<never> & Found): Promise<Reply>;
}

/** The values that the check of the access has found for the handler. */
interface Found {
  readonly definition: ReportTypeDefinition;
  readonly report: Report;
  /** Of the type that the access declares. */
  readonly record: never;
}

/** The type of the loaded record. Undefined unless the access is `record`: a `never` could be passed on as any record. */
type RecordOf<A extends Access> = A extends { readonly of: OwnedRecords<infer Rec> } ? Rec : undefined;

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

/** The response to a deletion, which callers may repeat. */
export const deletedResponse = {
  204: { kind: "empty", description: "It is deleted, now or already." },
} as const satisfies Readonly<Record<number, ResponseSpec>>;

/** Describes those statuses of an endpoint that are problems. */
export function problems(descriptions: Readonly<Record<number, string>>): Readonly<Record<number, ResponseSpec>> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      Number(status),
      { kind: "problem", description } as const,
    ]),
  );
}
