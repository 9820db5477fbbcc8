import type { LoginCheckResult } from "@reports/auth";
import { DomainError } from "@reports/core/base";
import { isUuidV7 } from "@reports/runtime";
import type { AuditEntry, AuditLog } from "../middleware/audit.ts";
import type { RequestContext } from "../middleware/request-state.ts";
import { toProblemReply } from "../problem.ts";
import { CallerLeftError } from "./caller-left-error.ts";
import type { Endpoint, Reply } from "./endpoint.ts";

export interface RequestAudit {
  onLogin(login: LoginCheckResult): void;
  /** Writes the audit line of the action. Only the first call writes a line: a handler can write it before the response by `auditNow`. */
  onReply(reply: Pick<Reply, "status" | "audit">): void;
  /** Writes the audit line of a failed request, unless the action has its line already, because the action took place before the failure. */
  onError(error: unknown): void;
}

type AuditFields = Partial<AuditEntry> & Pick<AuditEntry, "outcome" | "status">;

/** Creates the audit of one request. A read has an audit line only if its reply contains `audit`, or if the read is refused. */
export function createRequestAudit(
  log: AuditLog,
  endpoint: Endpoint,
  ctx: RequestContext,
  params: Readonly<Record<string, string>>,
): RequestAudit {
  const { audit } = endpoint;
  const idText = audit?.idParam === undefined ? undefined : params[audit.idParam];
  let refusedLogin: LoginCheckResult | undefined;
  let isDone = false;

  const write = (fields: AuditFields): void =>
    log.write({
      action: nameAction(endpoint),
      code: null,
      principal: ctx.state.principal?.id ?? null,
      recordType: audit?.recordType ?? null,
      // A path parameter that is not an ID can be any text that the caller typed, even a secret, so the audit line omits it.
      recordId: idText !== undefined && isUuidV7(idText) ? idText : null,
      reportType: null,
      owner: null,
      method: ctx.method,
      route: ctx.state.route,
      address: ctx.state.address,
      requestId: ctx.state.requestId,
      ...fields,
    });

  return {
    onLogin(login) {
      if (login.principal === null) refusedLogin = login;
      else write({ ...describeLogin(login), principal: login.principal.id, outcome: "done", status: null });
    },
    onReply({ status, audit: details }) {
      if (isDone || (details === undefined && !isUnsafe(endpoint))) return;
      isDone = true;
      const { verb, ...record } = details ?? {};
      const action = verb === undefined ? nameAction(endpoint) : `${audit?.recordType}.${verb}`;
      write({ ...record, action, outcome: "done", status });
    },
    onError(error) {
      if (isDone) return;
      if (error instanceof CallerLeftError) {
        if (mayHaveWritten(endpoint)) write({ outcome: "unknown", status: 499 });
        return;
      }
      const { status, code } = toProblemReply(error);
      const hidden = error instanceof DomainError ? error.hides : undefined;
      if (refusedLogin !== undefined && status === 401)
        write({ ...describeLogin(refusedLogin), outcome: "refused", status, code });
      else if (status === 401 || status === 403 || status === 429 || hidden !== undefined)
        write({ ...hidden, outcome: "refused", status, code });
      else if (status >= 500 && mayHaveWritten(endpoint)) write({ outcome: "unknown", status, code });
    },
  };
}

function describeLogin({ account }: LoginCheckResult): Pick<AuditEntry, "action" | "recordType" | "recordId"> {
  return { action: "login", recordType: "user", recordId: account };
}

function nameAction({ audit }: Endpoint): string {
  return audit === undefined ? "read" : `${audit.recordType}.${audit.verb}`;
}

function mayHaveWritten(endpoint: Endpoint): boolean {
  return isUnsafe(endpoint) || endpoint.audit?.verb === "start";
}

function isUnsafe({ method }: Endpoint): boolean {
  return method !== "GET";
}
