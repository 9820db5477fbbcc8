import type {
  Authenticate,
  AuthenticationContext,
  AuthorityLookup,
  Principal,
  RecheckCredentials,
} from "@reports/auth";
import { anonymousPrincipal } from "@reports/auth";
import { DomainError } from "@reports/core/base";
import type { ReportCatalogue, ReportTypeDefinition } from "@reports/core/report";
import { findRequiredAuthority } from "./access-rule.ts";
import { chooseReportType, requireReportTypeOrThrow } from "./choose-report-type.ts";
import { chooseMediaType } from "../http/accept.ts";
import { parseQuery } from "../http/query.ts";
import type { RequestLimiter } from "../limits/request-limiter.ts";
import { refusesIdempotencyKey } from "./add-problem-responses.ts";
import type { Endpoint, ReadQueryInput, Reply } from "./endpoint.ts";
import type { EndpointRequest } from "./endpoint-request.ts";
import { assertEmptyBody } from "./assert-empty-body.ts";
import { assertNotCrossSite } from "./assert-not-cross-site.ts";
import { loadAccessibleReport, addReportAuditFields, type LoadReportDeps } from "./load-accessible-report.ts";
import { loadAccessibleRecord, addRecordAuditFields } from "./load-accessible-record.ts";
import { readDeclaredQuery } from "./read-query.ts";

export interface CallEndpointDeps extends LoadReportDeps {
  readonly authenticate: Authenticate;
  /** Checks the credentials of an authenticated caller again. The result may be a few seconds old, because it is cached. */
  readonly reviewCredentials: RecheckCredentials;
  readonly noteCaller: (principal: Principal) => void;
  readonly authorities: AuthorityLookup;
  readonly catalogue: ReportCatalogue;
  readonly requestLimiter: RequestLimiter;
}

export async function callEndpoint(
  deps: CallEndpointDeps,
  endpoint: Endpoint,
  request: EndpointRequest,
): Promise<Reply> {
  const principal = await authenticateCaller(deps, endpoint, request);
  const refuseOverQuota = countRequest(deps, endpoint, principal, request);
  if (endpoint.method !== "GET") assertNotCrossSite(request, "changes nothing");
  const query = parseQuery(request.queryText);
  const { access } = endpoint;
  // The body has to be read before the check of the authority, if it names the report type on which the authority depends.
  const namesType = access.kind === "report-type" && access.in === "body";
  let body = namesType ? await readBody(endpoint, request) : undefined;
  const definition = findRequestedType(deps, endpoint, { pairs: query.pairs, params: request.params, body });
  authorise(deps, endpoint, principal, definition);
  const declaredQuery = readDeclaredQuery(endpoint, query);
  assertAcceptsMediaType(request, endpoint.produces);
  refuseUnsupportedKey(endpoint, request);
  refuseOverQuota();
  if (!namesType && mustReadBody(endpoint, request)) body = await readBody(endpoint, request);
  const { params } = request;
  const header = (name: string): string | undefined => request.header(name);
  endpoint.checkRequest?.({ header, body });
  const customQuery = endpoint.readQuery?.({ pairs: query.pairs, params, principal, definition: definition! });
  const report =
    access.kind === "report"
      ? await loadAccessibleReport(deps, access, principal, {
          id: access.in === "path" ? params["id"] : declaredQuery["id"],
          reportType: definition?.type,
        })
      : undefined;
  const record = access.kind === "record" ? await loadAccessibleRecord(access, principal, params["id"]) : undefined;
  const input = {
    method: request.method,
    principal,
    params,
    query: customQuery ?? declaredQuery,
    body,
    header,
    signal: request.signal,
    confirmCaller: async () => confirmCaller(deps, endpoint, principal, request),
    auditNow: (reply: Reply) => request.auditNow(reply),
    traceparent: request.traceparent,
    requestId: request.requestId,
    address: request.address,
    actFor: (principalId: string, countedAs: string) => {
      request.onPrincipal({ ...anonymousPrincipal, id: principalId });
      const quota = deps.requestLimiter.consume(countedAs);
      if (quota !== null) request.onQuota(quota);
    },
    definition,
    report,
    record,
  } as Parameters<Endpoint["handle"]>[0];
  const reply =
    request.method === "HEAD" && endpoint.handleHead !== undefined
      ? await endpoint.handleHead(input)
      : await endpoint.handle(input);
  if (report !== undefined) return addReportAuditFields(endpoint, report, reply);
  return access.kind === "record" ? addRecordAuditFields(endpoint, access, record!, reply) : reply;
}

function findRequestedType(
  { catalogue }: CallEndpointDeps,
  { access }: Endpoint,
  { pairs, params, body }: Pick<ReadQueryInput, "pairs" | "params"> & { readonly body: unknown },
): ReportTypeDefinition | undefined {
  if (!("in" in access)) return undefined;
  if (access.in !== "path") return chooseReportType(catalogue, access.in, pairs, body);
  return access.kind === "report-type" ? requireReportTypeOrThrow(catalogue, params["reportType"]) : undefined;
}

async function authenticateCaller(
  deps: CallEndpointDeps,
  endpoint: Endpoint,
  request: EndpointRequest,
): Promise<Principal> {
  if (endpoint.access.kind === "public") return anonymousPrincipal;
  const principal = await deps.authenticate(request.header("authorization"), {
    ...loginContext(endpoint, request),
    onLogin: (login) => request.onLogin(login),
  });
  request.onPrincipal(principal);
  deps.noteCaller(principal);
  return principal;
}

async function confirmCaller(
  deps: CallEndpointDeps,
  endpoint: Endpoint,
  before: Principal,
  request: EndpointRequest,
): Promise<void> {
  if (endpoint.access.kind === "public") return;
  const now = await deps.reviewCredentials(request.header("authorization"), loginContext(endpoint, request));
  if (now.id === before.id && [...before.authorities].every((held) => now.authorities.has(held))) return;
  const message = "The credentials were revoked or lost an authority during the request. Send it again.";
  throw new DomainError("unauthenticated", "credentials-invalid", message);
}

function loginContext({ access }: Endpoint, { address }: EndpointRequest): Omit<AuthenticationContext, "onLogin"> {
  return { address, basicOnly: access.kind === "password" };
}

/**
 * Reports whether to read the body. A POST that declares no body may send `{}`; a body of such a POST is read, so that any other content is
 * refused.
 */
function mustReadBody({ method, body }: Endpoint, request: EndpointRequest): boolean {
  return body !== undefined || (method === "POST" && isBodySent(request));
}

function isBodySent({ header }: EndpointRequest): boolean {
  return header("transfer-encoding") !== undefined || Number(header("content-length") ?? 0) > 0;
}

async function readBody({ body }: Endpoint, request: EndpointRequest): Promise<unknown> {
  if (body?.isOptional === true && !isBodySent(request)) return {};
  if (body !== undefined) return request.readBody(body.mediaTypes, { isOptional: body.isOptional === true });
  assertEmptyBody(await request.readBody(["application/json"], { isOptional: true }));
  return undefined;
}

function authorise(
  deps: CallEndpointDeps,
  endpoint: Endpoint,
  principal: Principal,
  definition: ReportTypeDefinition | undefined,
): void {
  const { access } = endpoint;
  if (access.kind === "public" || access.kind === "password" || access.kind === "authenticated") return;
  // Records without an authority are protected by their owner alone. loadAccessibleRecord checks the owner.
  if (access.kind === "record" && access.of.authority === undefined) return;
  // The report type is unknown until the report is loaded, so loadAccessibleReport checks the authority.
  if (access.kind === "report" && access.in === "path") return;
  const needed = findRequiredAuthority(access) ?? (definition && deps.authorities.of(definition.type));
  if (needed !== undefined && principal.authorities.has(needed)) return;
  throw new DomainError(
    "forbidden",
    "authority-missing",
    `The caller lacks the required authority ${needed ?? "of the report type"}.`,
  );
}

/**
 * Counts a request towards its caller's limit, even if a later check refuses it. Above twice the limit, throws RateLimitedError. Above the
 * limit, returns a function that throws it, because errors in the request take precedence (docs/reference/http.md#order-of-checks).
 */
function countRequest(
  deps: CallEndpointDeps,
  endpoint: Endpoint,
  principal: Principal,
  request: EndpointRequest,
): () => void {
  if (endpoint.access.kind === "public") return () => undefined;
  const counted = deps.requestLimiter.count(principal.id);
  if (counted === null) return () => undefined;
  const { quota, refusal, isFlood } = counted;
  request.onQuota(quota);
  const refuse = (): void => {
    if (refusal !== null) throw refusal;
  };
  if (isFlood) refuse();
  return refuse;
}

/** Throws if the endpoint does not support `Idempotency-Key`. If the API ignored the key, a repeated request would create a second record. */
function refuseUnsupportedKey(endpoint: Endpoint, request: EndpointRequest): void {
  const header = "Idempotency-Key";
  if (!refusesIdempotencyKey(endpoint) || request.header(header.toLowerCase()) === undefined) return;
  const message = `${header} is not supported on this path. Send the request without it.`;
  throw new DomainError("bad-request", "idempotency-key-not-supported", message, {
    issues: [{ header, code: "not_supported", message }],
  });
}

/**
 * Throws a DomainError that lists the offered media types, unless `Accept` allows one of them. If the endpoint offers none, its handler evaluates
 * `Accept`.
 */
export function assertAcceptsMediaType(
  { header }: Pick<EndpointRequest, "header">,
  [first, ...others]: readonly string[],
): void {
  if (first === undefined) return;
  const { outcome } = chooseMediaType(header("accept"), [first, ...others]);
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
