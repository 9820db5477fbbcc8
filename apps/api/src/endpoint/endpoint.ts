import type { Readable } from "node:stream";
import type { Principal } from "@reports/auth";
import type { QuotaState } from "@reports/core/caller";
import type { Report, ReportTypeDefinition } from "@reports/core/report";
import type { z } from "zod";
import type { QueryPair } from "../http/query.ts";
import type { StaticText } from "../http/static-text.ts";
import type { AccessRule } from "./access-rule.ts";
import type { AuditedAction, ReplyAuditFields } from "./audited-action.ts";
import type { OwnedRecordKind } from "./owned-record-kind.ts";
import type { OpenApiTag } from "./open-api-tag.ts";

/** Methods that an endpoint can declare. The API adds HEAD to every GET, and OPTIONS to every path. */
export const endpointMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type EndpointMethod = (typeof endpointMethods)[number];

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

/** Input of a handler. The API has already run all checks that the endpoint declares. */
export interface HandlerInput<Query> {
  readonly method: EndpointMethod | "HEAD";
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The parsed body. The handler checks it against the schema. Undefined if the endpoint declares no body. */
  readonly body: unknown;
  header(name: string): string | undefined;
  readonly signal: AbortSignal;
  /** Checks the caller's credentials again, during a long response. Rejects with DomainError("unauthenticated") if they have become invalid or lost an authority. */
  confirmCaller(): Promise<void>;
  /**
   * Writes the audit line before the response is sent, for an action that has already taken place. The API then writes no second line with the
   * response.
   */
  auditNow(reply: Pick<Reply, "status" | "audit">): void;
  readonly traceparent: string;
  readonly requestId: string;
  /** The normalised IP address of the client. Limits on failed logins and on unknown links count per address. */
  readonly address: string;
  /** Sets the principal of a request without credentials, and counts the request towards the limit of `countedAs`. Throws RateLimitedError at that limit. */
  actFor(principalId: string, countedAs: string): void;
}

/**
 * The body of a reply. For GET, the API calls `open` before it sends the status, so that a failure can still change the status. For HEAD, it calls
 * `check` instead.
 */
export type ReplyBody =
  /** `staticJson` is the encoded form of a value that never changes, so that it is encoded only once. */
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
  /** Media type that GET would return. A reply to HEAD for which no body is created sets it. */
  | { readonly kind: "empty"; readonly contentType?: string };

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
  /** Limits towards which this request counts, in addition to the requests per minute. RateLimit and RateLimit-Policy show them. */
  readonly quotas?: readonly QuotaState[];
  /** Fields that the handler adds to the audit line. A GET has an audit line only if they are set. */
  readonly audit?: ReplyAuditFields;
}

/** Declares one endpoint. The API derives its route, checks, documentation and test cases from the declaration. */
export interface Endpoint {
  readonly method: EndpointMethod;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: OpenApiTag;
  readonly access: AccessRule;
  readonly audit?: AuditedAction;
  /** Describes path parameters for the documentation. The handler answers 404 to a value of another form. */
  readonly params?: z.ZodObject;
  /** Query parameters. A request may contain each parameter at most once. */
  readonly query?: z.ZodObject;
  /**
   * Reads a query whose parameters may repeat or depend on each other. `query` then only documents them. The API calls this before it loads a
   * report or record. The handler gets the result as `query`. Throws DomainError("bad-request").
   */
  readQuery?(request: ReadQueryInput & Pick<Loaded, "definition">): unknown;
  readonly list?: { readonly filters: readonly string[]; readonly sorts: readonly string[] };
  /** The request body. Only the handler checks it against the schema, so that one response lists the problems of schema and handler. */
  readonly body?: {
    readonly mediaTypes: readonly string[];
    readonly schema: z.ZodType;
    readonly example?: unknown;
    /** Whether a missing body counts as `{}`. A test requires this for every POST whose body has no required field. */
    readonly isOptional?: true;
  };
  readonly headers?: Readonly<Record<string, string>>;
  /** Throws if a header or the body is wrong for every record. The API calls this before it loads a report or record. */
  checkRequest?(request: Pick<HandlerInput<unknown>, "header" | "body">): void;
  /** Media types of the response, among which `Accept` may choose. If the list is empty, only the handler may evaluate `Accept`. */
  readonly produces: readonly string[];
  readonly responses: Readonly<Record<number, ResponseSpec>>;
  // `handle` is declared as a method, not as a property, so that TypeScript accepts a handler with a narrower input. callEndpoint passes the
  // declared input.
  handle(input: HandlerInput<never> & Loaded): Promise<Reply>;
  /** Handles a HEAD request, if HEAD must do less than GET. For example, HEAD of the legacy start starts no report. */
  handleHead?(input: HandlerInput<never> & Loaded): Promise<Reply>;
}

interface Loaded {
  readonly definition: ReportTypeDefinition;
  readonly report: Report;
  readonly record: never;
}

/** The type of the loaded record. For an endpoint without a record it is undefined, so that its handler cannot use one. */
type RecordOf<A extends AccessRule> = A extends { readonly of: OwnedRecordKind<infer Rec> } ? Rec : undefined;

export interface ReadQueryInput extends Pick<HandlerInput<unknown>, "params" | "principal"> {
  readonly pairs: readonly QueryPair[];
}

type DefinitionOf<A extends AccessRule> = A extends { readonly kind: "report-type" }
  ? Pick<Loaded, "definition">
  : unknown;

export type HandlerInputForAccess<A extends AccessRule, Query> = HandlerInput<Query> &
  DefinitionOf<A> &
  (A extends { readonly kind: "report" } ? Pick<Loaded, "report"> : unknown) & { readonly record: RecordOf<A> };

export interface TypedEndpoint<A extends AccessRule, Query extends z.ZodObject, Read> extends Omit<
  Endpoint,
  "readQuery" | "handle" | "handleHead" | "produces"
> {
  /** JSON by default. */
  readonly produces?: readonly string[];
  readonly access: A;
  readonly query?: Query;
  readQuery?(request: ReadQueryInput & DefinitionOf<A>): Read;
  handle(input: HandlerInputForAccess<A, Read>): Promise<Reply>;
  handleHead?(input: HandlerInputForAccess<A, Read>): Promise<Reply>;
}

export function defineEndpoint<const A extends AccessRule, Query extends z.ZodObject, Read = z.output<Query>>(
  endpoint: TypedEndpoint<A, Query, Read>,
): Endpoint {
  return { produces: ["application/json"], ...endpoint };
}

export const noStore = { "Cache-Control": "no-store" };

/** Describes a JSON response. Unless `headers` are given, no cache keeps it. */
export function describeJson(
  description: string,
  schema: z.ZodType,
  headers: ResponseSpec["headers"] = noStore,
): ResponseSpec {
  return { kind: "json", description, schema, headers };
}

export function replyJson<T>(value: T, status = 200, headers: Reply["headers"] = noStore) {
  return { status, headers, body: { kind: "json", value } } as const;
}

export function describeProblems(
  descriptions: Readonly<Record<number, string>>,
): Readonly<Record<number, ResponseSpec>> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      Number(status),
      { kind: "problem", description } as const,
    ]),
  );
}

/** Returns the parts that the declarations of deletions have in common. */
export function describeDeletion(problems: Readonly<Record<number, string>>) {
  const deleted = { kind: "empty", description: "It is deleted, now or already." } as const;
  return { method: "DELETE", produces: [], responses: { 204: deleted, ...describeProblems(problems) } } as const;
}
