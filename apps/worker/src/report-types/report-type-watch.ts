import type { TypeAvailability, ReportTypeUsability, ReportTypeMismatch } from "@reports/core/report";
import { withDeadline, type Logger } from "@reports/runtime";
import type { JitteredPeriod } from "../clocks.ts";
import { createPeriodicWork } from "../maintenance/periodic-work.ts";

export interface ReportTypeWatchDeps {
  readonly check: () => Promise<ReportTypeUsability>;
  readonly logger: Logger;
  readonly period: JitteredPeriod;
}

export interface ReportTypeWatch extends TypeAvailability {
  /** Resolves after the first comparison, even if that comparison fails. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Returns why types cannot be used, by type: the code of their problem, or SOURCE_UNREACHABLE. */
  reasons(): ReadonlyMap<string, string>;
}

const checkTimeoutMs = 10_000;

/** Compares report types with their sources periodically. If a source is unreachable, its types keep their last state. */
export function createReportTypeWatch({ check, logger, period }: ReportTypeWatchDeps): ReportTypeWatch {
  let unusable: ReadonlyMap<string, ReportTypeMismatch> = new Map();
  let unreachable: ReadonlySet<string> = new Set();

  async function compare(stopping: AbortSignal): Promise<void> {
    const found = await withDeadline(check, checkTimeoutMs, "Comparing report types with their data sources", stopping);
    const still = [...unusable].filter(([type]) => found.unknown.has(type));
    const next = new Map([...still, ...found.unusable]);
    for (const [type, { code, message }] of next) {
      if (unusable.get(type)?.code === code) continue;
      logger.error("a report type cannot be used; its reports wait", {
        reportType: type,
        reason: code,
        detail: message,
      });
    }
    for (const type of unusable.keys()) {
      if (!next.has(type)) logger.info("a report type can be used again", { reportType: type });
    }
    unusable = next;
    unreachable = found.unknown;
  }

  const timer = createPeriodicWork({ name: "report-types", ...period, work: compare, logger });
  return {
    refusalOf: (type) => unusable.get(type)?.code ?? null,
    isUnreachable: (type) => unreachable.has(type),
    reasons: () =>
      new Map([
        ...[...unreachable].map((type) => [type, "SOURCE_UNREACHABLE"] as const),
        ...[...unusable].map(([type, { code }]) => [type, code] as const),
      ]),
    async start() {
      await compare(new AbortController().signal).catch((error: unknown) =>
        logger.warn("report types could not be compared with their data sources; all count as usable until they are", {
          error,
        }),
      );
      timer.start();
    },
    stop: async () => timer.stop(),
  };
}
