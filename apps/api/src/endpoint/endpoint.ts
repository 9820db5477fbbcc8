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

/** Methods that an endpoint can declare. The API adds HEAD to every GET, and OPTIONS to every path. */
export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof methods)[number];

/** The response of one status. `headers` maps the name of a header to its description. */
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

/** Input of a handler. All checks that the endpoint declares have passed. */
export interface EndpointInput<Query> {
  readonly method: Method | "HEAD";
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The parsed body, not yet checked against the schema. Undefined if the endpoint declares no body. */
  readonly body: unknown;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Aborts when the caller closes the connection. */
  readonly signal: AbortSignal;
  /** Checks the credentials again. Rejects with DomainError("unauthenticated") if they are invalid now or have lost an authority. */
  confirmCaller(): Promise<void>;
  /** Writes the audit line now, before a response that is sent later. The response then writes no second line. */
  auditNow(reply: Pick<Reply, "status" | "audit">): void;
  /** W3C trace context of this request. */
  readonly traceparent: string;
  readonly requestId: string;
  /** The normalised address of the client. Failed logins and unknown links are counted per address. */
  readonly address: string;
  /** Sets the principal of a request without credentials, and counts the request for `countedAs`. Throws RateLimitedError at its limit. */
  actFor(principalId: string, countedAs: string): void;
}

/** The body of a reply. `open` is called before the status is sent. A HEAD request calls `check` instead. */
export type ReplyBody =
  /** `staticJson` is the encoded JSON of a value that never changes. */
  | { readonly kind: "json"; readonly value: unknown; readonly staticJson?: StaticText }
  | { readonly kind: "text"; readonly contentType: string; readonly text: string | StaticText }
  | {
      readonly kind: "bytes";
      readonly contentType: string;
      readonly sizeBytes: number;
      open(signal: AbortSignal): Promise<Readable>;
      check(signal: AbortSignal): Promise<void>;
    }
  /** Server-sent events. The stream ends when the signal aborts. */
  | { readonly kind: "events"; open(signal: AbortSignal): Promise<AsyncIterable<string>> }
  /** `contentType` is the media type of the GET response, for a HEAD request that skips the work of GET. */
  | { readonly kind: "empty"; readonly contentType?: string };

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
  /** Limits that this request counts towards, in addition to the limit on requests. */
  readonly quotas?: readonly QuotaState[];
  /** Added to the declared audit line. A safe method has an audit line only if this is set. */
  readonly audit?: AuditedReply;
}

/** Declares one endpoint. Routing, checks, documentation and tests read the declaration. */
export interface Endpoint {
  readonly method: Method;
  /** The path with parameters in braces: `/v1/reports/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** Whole sentences that add to the summary. */
  readonly description: string;
  readonly tag: Tag;
  readonly access: Access;
  /** Required unless the method is GET (a test checks this). A GET sets it if its calls are audited. */
  readonly audit?: AuditedAction;
  /** Path parameters, for the documentation only. The handler answers 404 if a value has another form. */
  readonly params?: z.ZodObject;
  /** Query parameters. A request may contain each parameter at most once. */
  readonly query?: z.ZodObject;
  /**
   * Reads a query whose parameters repeat or depend on each other. `query` then only documents them. The API calls this before it loads a
   * report or record, and passes the result to the handler as `query`. Throws DomainError("bad-request").
   */
  readQuery?(request: QueryRequest & Pick<Loaded, "definition">): unknown;
  readonly list?: { readonly filters: readonly string[]; readonly sorts: readonly string[] };
  /** The request body. The handler checks it against the schema, so that one response lists all problems. */
  readonly body?: {
    readonly mediaTypes: readonly string[];
    readonly schema: z.ZodType;
    readonly example?: unknown;
    /** A missing body counts as `{}`. Set for every POST whose body has no required field (a test checks this). */
    readonly isOptional?: true;
  };
  /** Request headers that the endpoint supports: name → description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Throws for a header or body that is wrong for any record. The API calls this before it loads a report or record. */
  checkRequest?(request: Pick<EndpointInput<unknown>, "header" | "body">): void;
  /** Media types that `Accept` may choose. If empty, the handler negotiates. */
  readonly produces: readonly string[];
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  // Method syntax lets each endpoint declare its own type of input. callEndpoint passes the declared input.
  handle(input: EndpointInput<never> & Loaded): Promise<Reply>;
  /** Handles HEAD, if HEAD must do less than GET. */
  handleHead?(input: EndpointInput<never> & Loaded): Promise<Reply>;
}

interface Loaded {
  readonly definition: ReportTypeDefinition;
  readonly report: Report;
  readonly record: never;
}

/** The type of the loaded record. Without one it is undefined, not `never`, so that a handler cannot use a record that is not there. */
type RecordOf<A extends Access> = A extends { readonly of: OwnedRecords<infer Rec> } ? Rec : undefined;

export interface QueryRequest extends Pick<EndpointInput<unknown>, "params" | "principal"> {
  readonly pairs: readonly QueryPair[];
}

type DefinitionOf<A extends Access> = A extends { readonly kind: "report-type" } ? Pick<Loaded, "definition"> : unknown;

export type InputOf<A extends Access, Query> = EndpointInput<Query> &
  DefinitionOf<A> &
  (A extends { readonly kind: "report" } ? Pick<Loaded, "report"> : unknown) & { readonly record: RecordOf<A> };

export interface TypedEndpoint<A extends Access, Query extends z.ZodObject, Read> extends Omit<
  Endpoint,
  "readQuery" | "handle" | "handleHead"
> {
  readonly access: A;
  readonly query?: Query;
  readQuery?(request: QueryRequest & DefinitionOf<A>): Read;
  handle(input: InputOf<A, Read>): Promise<Reply>;
  handleHead?(input: InputOf<A, Read>): Promise<Reply>;
}

export function defineEndpoint<const A extends Access, Query extends z.ZodObject, Read = z.output<Query>>(
  endpoint: TypedEndpoint<A, Query, Read>,
): Endpoint {
  return endpoint;
}

/** Declares the response of a deletion, which is the same for a repeated deletion. */
export const deletedResponse = {
  204: { kind: "empty", description: "It is deleted, now or already." },
} as const satisfies Readonly<Record<number, ResponseSpec>>;

export function problemSpecs(descriptions: Readonly<Record<number, string>>): Readonly<Record<number, ResponseSpec>> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      Number(status),
      { kind: "problem", description } as const,
    ]),
  );
}
