import type { ReportEstimate, ReportStart } from "@reports/client";
import { countText, filterName, sizeText } from "../parts/text.ts";
import { durationText } from "../parts/moments.ts";
import { FailedStart } from "../parts/failed-start.tsx";
import type { Failure } from "../shell/failure.ts";
import { hrefOf } from "../shell/place.ts";
import { queryOf } from "./draft.ts";

const nothing = { rows: null, rowsAre: null, sizeBytes: null, seconds: null };

/** What is about to be started, and the button that does it. It stays in sight. */
export function StartBox(props: {
  readonly start: ReportStart;
  readonly estimate: ReportEstimate | undefined;
  readonly failure: Failure | null;
  readonly isBusy: boolean;
  readonly onReset: () => void;
}) {
  const { start, estimate, failure, isBusy } = props;
  const { rows, rowsAre, sizeBytes, seconds } = estimate ?? nothing;
  const filters = typeof start.searchParam === "object" ? Object.keys(start.searchParam ?? {}) : [];
  return (
    <aside class="box" aria-label="Start">
      <p class="figure">
        {rows === null ? "–" : `${rowsAre === "EXACT" ? "" : "≈ "}${countText(rows)}`}
        <span class="muted small">{rows === 1 ? "row" : "rows"}</span>
      </p>
      <p class="muted small">
        {filters.length === 0 ? "No filters: everything is included." : `By ${filters.map(filterName).join(", ")}.`}
        {sizeBytes !== null && ` About ${sizeText(sizeBytes)}.`}
        {seconds !== null && ` About ${durationText(Math.max(1, seconds) * 1000)}.`}
      </p>
      <FailedStart failure={failure} title="The report was not started" />
      <button type="submit" class="primary" aria-disabled={isBusy}>
        {isBusy ? "Starting …" : `Start the ${start.format ?? ""} report`}
      </button>
      <a class="button schedule-this" href={hrefOf("schedule", queryOf(start))}>
        Schedule this
      </a>
      <button type="button" class="quiet" onClick={props.onReset}>
        Begin again
      </button>
    </aside>
  );
}
