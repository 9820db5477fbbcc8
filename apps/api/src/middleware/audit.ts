import { createLogger, type Logger, type LogLevel } from "@reports/runtime";

/** Outcome of an audited action. `refused` means that it had no effect. `unknown` is a write that failed with a 5xx, or whose caller disconnected. */
export type AuditOutcome = "done" | "refused" | "unknown";

export interface AuditEntry {
  readonly action: string;
  readonly outcome: AuditOutcome;
  readonly status: number | null;
  readonly code: string | null;
  readonly principal: string | null;
  readonly recordType: string | null;
  readonly recordId: string | null;
  readonly reportType: string | null;
  readonly owner: string | null;
  readonly method: string | null;
  readonly route: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
}

export interface AuditLog {
  /** Writes a line for each action. From the sixth equal refusal of a caller within a minute, writes only their number at the end of the minute. */
  write(entry: AuditEntry): void;
  flush(): void;
}

const windowMs = 60_000;
const maxLinesPerKind = 5;
const maxRefusalKinds = 500;

export function createAuditLog(deps: { readonly logger: Logger }): AuditLog {
  const kinds = new Map<string, { readonly entry: AuditEntry; seen: number }>();
  let others = 0;
  let timer: NodeJS.Timeout | undefined;

  const line = (entry: AuditEntry, count: number): void => deps.logger.info("audit", { audit: true, ...entry, count });

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const { entry, seen } of kinds.values()) {
      if (seen > maxLinesPerKind) line({ ...entry, ...omittedFields }, seen - maxLinesPerKind);
    }
    if (others > 0) line(furtherRefusalsEntry, others);
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
      if (kind === undefined && kinds.size >= maxRefusalKinds) {
        others++;
        return;
      }
      const seen = (kind?.seen ?? 0) + 1;
      kinds.set(key, { entry, seen });
      if (seen <= maxLinesPerKind) line(entry, 1);
    },
  };
}

export function chooseAuditLogger(level: LogLevel, logger: Logger): Logger {
  return level === "warn" || level === "error" || level === "fatal"
    ? createLogger({ name: "api", level: "info" })
    : logger;
}

/** One audit line can count several refusals. It has null for these fields, in which the refusals can differ. */
const omittedFields = { recordId: null, reportType: null, owner: null, requestId: null } as const;

const furtherRefusalsEntry: AuditEntry = {
  ...omittedFields,
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
