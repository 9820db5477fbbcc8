import type { Authenticate, Authorities, Principal } from "@reports/auth";
import { anonymous } from "@reports/auth";
import { DomainError } from "@reports/core";
import type { InputIssue, ReportCatalogue, ReportTypeDefinition } from "@reports/core";
import { chooseMediaType } from "../http/accept.ts";
import { findQueryIssues, parseQuery } from "../http/query.ts";
import type { ParsedQuery, QueryPair } from "../http/query.ts";
import type { Endpoint, EndpointInput, Reply } from "./endpoint.ts";

/** What calling an endpoint needs of the deployment. */
export interface CallDeps {
  readonly authenticate: Authenticate;
  readonly authorities: Authorities;
  readonly catalogue: ReportCatalogue;
}

/** A request as an endpoint's caller sees it: plain data. */
export interface EndpointRequest {
  readonly method: "GET" | "HEAD";
  readonly params: Readonly<Record<string, string>>;
  /** Without its `?`. */
  readonly queryText: string;
  header(name: string): string | undefined;
  readonly signal: AbortSignal;
  readonly traceparent: string;
  /** Is told who calls, as soon as that is known. */
  onPrincipal(principal: Principal): void;
}

/** Makes the checks in the one order that holds everywhere (contract §3), then calls the endpoint. */
export async function callEndpoint(deps: CallDeps, endpoint: Endpoint, request: EndpointRequest): Promise<Reply> {
  const principal = await authenticateCaller(deps, endpoint, request);
  const query = parseQuery(request.queryText);
  const definition = endpoint.access.kind === "report-type" ? chooseReportType(deps.catalogue, query.pairs) : undefined;
  authorise(deps, endpoint, principal, definition);
  const input = {
    method: request.method,
    principal,
    params: request.params,
    query: readQuery(endpoint, query),
    pairs: query.pairs,
    header: (name: string) => request.header(name),
    signal: request.signal,
    traceparent: request.traceparent,
    definition,
  } as EndpointInput<never> & { readonly definition: ReportTypeDefinition };
  refuseUnlessAcceptable(request.header("accept"), endpoint.produces);
  if (request.method === "HEAD" && endpoint.handleHead !== undefined) return endpoint.handleHead(input);
  return endpoint.handle(input);
}

async function authenticateCaller(deps: CallDeps, endpoint: Endpoint, request: EndpointRequest): Promise<Principal> {
  if (endpoint.access.kind === "public") return anonymous;
  const principal = await deps.authenticate(request.header("authorization"));
  request.onPrincipal(principal);
  return principal;
}

function chooseReportType(catalogue: ReportCatalogue, pairs: readonly QueryPair[]): ReportTypeDefinition {
  const given = pairs.filter(([name]) => name === "reportType").map(([, value]) => value);
  const definition = given.length === 1 ? catalogue.find(given[0]!) : undefined;
  if (definition !== undefined) return definition;
  const types = catalogue
    .list()
    .map(({ type }) => type)
    .join(", ");
  const fault =
    given.length === 0
      ? { code: "missing_parameter", message: `reportType is required: one of ${types}.` }
      : given.length > 1
        ? { code: "repeated_parameter", message: `reportType takes one value and was given ${given.length} times.` }
        : { code: "unknown_report_type", message: `reportType must be one of ${types}, spelled exactly so.` };
  throw new DomainError("bad-request", "invalid-report-type", fault.message, {
    issues: [{ parameter: "reportType", ...fault }],
  });
}

function authorise(
  deps: CallDeps,
  endpoint: Endpoint,
  principal: Principal,
  definition: ReportTypeDefinition | undefined,
): void {
  const { access } = endpoint;
  if (access.kind === "public" || access.kind === "authenticated") return;
  const needed = access.kind === "authority" ? access.authority : definition && deps.authorities.of(definition.type);
  if (needed !== undefined && principal.authorities.has(needed)) return;
  throw new DomainError(
    "forbidden",
    "authority-missing",
    `This needs the authority ${needed ?? "of the report type"}, which the caller does not hold.`,
  );
}

function readQuery(endpoint: Endpoint, { pairs, issues }: ParsedQuery): unknown {
  const shape = endpoint.query?.shape ?? {};
  const found: InputIssue[] = [...issues];
  let value: unknown = {};
  if (endpoint.checksOwnQuery !== true) {
    found.push(...findQueryIssues(pairs, Object.keys(shape)));
    const parsed = endpoint.query?.safeParse(Object.fromEntries(pairs.filter(([name]) => Object.hasOwn(shape, name))));
    if (parsed?.success === false) {
      found.push(
        ...parsed.error.issues.map(({ path, message }) => ({
          parameter: String(path[0]),
          code: "invalid_parameter",
          message: `${String(path[0])} ${message}.`,
        })),
      );
    }
    value = parsed?.data ?? {};
  }
  if (found.length === 0) return value;
  throw new DomainError(
    "bad-request",
    "invalid-parameters",
    `The query is not valid: ${found.map(({ message }) => message).join(" ")}`,
    { issues: found },
  );
}

/** Throws DomainError unless `Accept` allows one of the offered media types; says what there is. No offers: the handler negotiates. */
export function refuseUnlessAcceptable(accept: string | undefined, [first, ...others]: readonly string[]): void {
  if (first === undefined) return;
  const { outcome } = chooseMediaType(accept, [first, ...others]);
  if (outcome === "chosen") return;
  if (outcome === "malformed") {
    const message = "Accept must be a list of media ranges, such as application/json.";
    throw new DomainError("bad-request", "invalid-header", message, {
      issues: [{ header: "Accept", code: "malformed_header", message }],
    });
  }
  const message = `This is available as ${[first, ...others].join(", ")} only, which Accept does not allow.`;
  throw new DomainError("not-acceptable", "not-acceptable", message, {
    issues: [{ header: "Accept", code: "not_acceptable", message }],
  });
}
