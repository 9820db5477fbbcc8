import type { Readable } from "node:stream";
import type { Principal } from "@reports/auth";
import type { QuotaState, Report, ReportTypeDefinition } from "@reports/core";
import type { z } from "zod";
import type { QueryPair } from "../http/query.ts";
import type { StaticText } from "../http/static-text.ts";
import type { Tag } from "./tag.ts";

/** Who may call an endpoint. */
export type Access =
  | { readonly kind: "public" }
  /** Callers with a name and a password; a token will not do. */
  | { readonly kind: "password" }
  /** Any caller whose credentials are valid. */
  | { readonly kind: "authenticated" }
  /** Callers that hold this authority. */
  | { readonly kind: "authority"; readonly authority: string }
  /** The owner of the schedule that `id` names in the path, and administrators of reports; to everybody else it is the identical 404. */
  | { readonly kind: "schedule" }
  /** Callers that hold the authority of the report type that `reportType` names, in the query, in the body or in the path. */
  | { readonly kind: "report-type"; readonly in: "query" | "body" | "path" }
  /**
   * Callers that may know of the report which `id` names, in the path, or beside its `reportType` in the query, whose authority is then needed
   * first. To everybody else it is the identical 404, whatever became of it. docs/contract.md §7.3.
   */
  | {
      readonly kind: "report";
      readonly in: "path" | "query";
      /** Only its requester and administrators of reports; others that know of it get 403. */
      readonly changes?: boolean;
      /** Whether the handler takes a deleted report, too; it is 410 otherwise. */
      readonly takesDeleted?: boolean;
    };

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
  /** The whole query, for endpoints that check it themselves. */
  readonly pairs: readonly QueryPair[];
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

/** What an endpoint does as the audit log calls it: `report` and `delete` are written as `report.delete`. */
export interface AuditedAction {
  readonly recordType: string;
  readonly verb: string;
  /** The path's parameter that names the record; left out where the reply does. */
  readonly idParam?: string;
}

/** What only the reply knows. */
export interface AuditedReply {
  readonly recordId?: string;
  readonly reportType?: string;
  /** Who had asked for the report. */
  readonly owner?: string;
  /** Where one endpoint does several things. */
  readonly verb?: string;
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
  /** The handler reads `pairs` by the schemas that `query` is made of: names may stand there several times, or depend on one another. */
  readonly checksOwnQuery?: boolean;
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
  /** Throws for request headers that cannot be read, before a report is looked for. */
  checkHeaders?(request: Pick<EndpointInput<unknown>, "header">): void;
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
}

type InputOf<A extends Access, Query> = EndpointInput<Query> &
  (A extends { readonly kind: "report-type" } ? Pick<Found, "definition"> : unknown) &
  (A extends { readonly kind: "report" } ? Pick<Found, "report"> : unknown);

/** An endpoint whose handler's input has the types that its description declares. */
export interface TypedEndpoint<A extends Access, Query extends z.ZodObject> extends Omit<
  Endpoint,
  "handle" | "handleHead"
> {
  readonly access: A;
  readonly query?: Query;
  handle(input: InputOf<A, z.output<Query>>): Promise<Reply>;
  handleHead?(input: InputOf<A, z.output<Query>>): Promise<Reply>;
}

/** Writes an endpoint down. */
export function defineEndpoint<const A extends Access, Query extends z.ZodObject>(
  endpoint: TypedEndpoint<A, Query>,
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
