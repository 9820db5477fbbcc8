import { createLogger } from "@reports/runtime";
import type { Logger, LogLevel } from "@reports/runtime";

/** Done; refused, so that nothing happened; or unknown: a write that was answered with a 5xx, or whose caller left. */
export type AuditOutcome = "done" | "refused" | "unknown";

/** What was done to what by whom, and what came of it. Every line has every field; docs/reference/audit-log.md says what they mean. */
export interface AuditEntry {
  /** Type of a record and what is done to it (`report.delete`), `login`, or `read`. */
  readonly action: string;
  readonly outcome: AuditOutcome;
  readonly status: number | null;
  readonly code: string | null;
  readonly principal: string | null;
  readonly recordType: string | null;
  readonly recordId: string | null;
  readonly reportType: string | null;
  /** Who had asked for the report. */
  readonly owner: string | null;
  readonly method: string | null;
  readonly route: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Where audit lines go. They carry `audit: true`, by which they are told from the others. */
export interface AuditLog {
  /** What was done, or may have been, has a line of its own always; refusals of one caller that repeat within a minute are counted. */
  write(entry: AuditEntry): void;
  /** Writes what was only counted so far. */
  flush(): void;
}

const windowMs = 60_000;
/** Lines of one kind of refusal of one caller within a minute, before the others are counted. */
const linesOfOneKind = 5;
/** Kinds that are told apart within a minute; whatever else comes is one number. */
const maxKinds = 500;

/** The audit log of a process. At most some 3,000 lines a minute are of refusals, however many there are. */
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

/** The logger of audit lines: what is to be kept is kept when less than `info` is logged otherwise, too. Only `silent` ends it. */
export function auditLogger(level: LogLevel, logger: Logger): Logger {
  return level === "warn" || level === "error" || level === "fatal"
    ? createLogger({ name: "api", level: "info" })
    : logger;
}

/** What a line of several refusals cannot say, because it differs among them. */
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
