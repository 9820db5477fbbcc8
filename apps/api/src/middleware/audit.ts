import { createLogger } from "@reports/runtime";
import type { Logger, LogLevel } from "@reports/runtime";

/** Done; refused without effect; or unknown: a write with a 5xx response, or whose caller left. */
export type AuditOutcome = "done" | "refused" | "unknown";

/** The caller, the action, its target and its outcome. Every line has every field: docs/reference/audit-log.md. */
export interface AuditEntry {
  /** A record type and verb (`report.delete`), `login`, or `read`. */
  readonly action: string;
  readonly outcome: AuditOutcome;
  readonly status: number | null;
  readonly code: string | null;
  readonly principal: string | null;
  readonly recordType: string | null;
  readonly recordId: string | null;
  readonly reportType: string | null;
  /** The report's requester. */
  readonly owner: string | null;
  readonly method: string | null;
  readonly route: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Audit lines carry `audit: true`. */
export interface AuditLog {
  /** Actions always have a line; a caller's repeated refusals within a minute are counted. */
  write(entry: AuditEntry): void;
  flush(): void;
}

const windowMs = 60_000;
/** Lines per kind of refusal, caller and minute, before the rest is counted. */
const linesOfOneKind = 5;
/** Kinds per minute; the rest is one number. */
const maxKinds = 500;

/** At most about 3,000 lines per minute are refusals. */
export function createAuditLog(deps: { readonly logger: Logger }): AuditLog {
  const kinds = new Map<string, { readonly entry: AuditEntry; seen: number }>();
  let others = 0;
  let timer: NodeJS.Timeout | undefined;

  const line = (entry: AuditEntry, count: number): void => deps.logger.info("audit", { audit: true, ...entry, count });

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const { entry, seen } of kinds.values()) {
      if (seen > linesOfOneKind) line({ ...entry, ...nothingOfOne }, seen - linesOfOneKind);
    }
    if (others > 0) line(anyRefusal, others);
    kinds.clear();
    others = 0;
  };

  return {
    flush,
    write(entry) {
      if (entry.outcome !== "refused") return line(entry, 1);
      timer ??= setTimeout(flush, windowMs).unref();
      const key = JSON.stringify([entry.principal ?? entry.address, entry.action, entry.code]);
      const kind = kinds.get(key);
      if (kind === undefined && kinds.size >= maxKinds) {
        others++;
        return;
      }
      const seen = (kind?.seen ?? 0) + 1;
      kinds.set(key, { entry, seen });
      if (seen <= linesOfOneKind) line(entry, 1);
    },
  };
}

/** Audit lines are written even if less than `info` is logged. Only `silent` stops them. */
export function auditLogger(level: LogLevel, logger: Logger): Logger {
  return level === "warn" || level === "error" || level === "fatal"
    ? createLogger({ name: "api", level: "info" })
    : logger;
}

/** A line of several refusals cannot contain these, because they differ. */
const nothingOfOne = { recordId: null, reportType: null, owner: null, requestId: null } as const;

const anyRefusal: AuditEntry = {
  ...nothingOfOne,
  action: "any",
  outcome: "refused",
  status: null,
  code: null,
  principal: null,
  recordType: null,
  method: null,
  route: null,
  address: null,
};
