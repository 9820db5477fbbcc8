import {
  mismatchedProperties,
  type FileMismatch,
  type SuspiciousFileRecorder,
  type Report,
} from "@reports/core/report";
import { combineLabels, type Logger, type Metrics } from "@reports/runtime";

/**
 * Returns a function that counts and logs a damaged file, and stores a note so that a worker checks it. If storing the note fails, the next
 * download of the file stores it.
 */
export function createFileMismatchRecorder(deps: {
  readonly suspicions: SuspiciousFileRecorder;
  readonly logger: Logger;
  readonly metrics: Metrics;
}): (report: Pick<Report, "id">, mismatch: FileMismatch) => void {
  const seen = deps.metrics.counter({
    name: "reports_file_mismatches_seen_total",
    help: "Stored files that differed from what was published, by what differed: size, digest or version.",
    labels: ["property"],
    series: combineLabels({ property: mismatchedProperties }),
  });
  return ({ id: reportId }, mismatch) => {
    seen.inc({ property: mismatch.property });
    deps.logger.error("a stored file is not the one that its report published", { reportId, ...mismatch });
    deps.suspicions
      .note(reportId)
      .catch((error: unknown) => deps.logger.warn("suspect file could not be recorded", { reportId, error }));
  };
}
