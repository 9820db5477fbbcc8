import type { ReportEstimate, ReportStart, ReportType } from "@reports/client";
import { noFiltersText } from "../parts/filter-summary.tsx";
import { formatFilters } from "../parts/filter-description.ts";
import { filterFieldLabel } from "./filter-fields.tsx";
import { formatCount, formatByteSize } from "../parts/text.ts";
import { formatDuration } from "../parts/time-text.ts";
import { FormFailure } from "../parts/form-failure.tsx";
import { RetryNotice } from "../parts/retry-notice.tsx";
import type { RetryingCall } from "../shell/use-retrying-call.ts";
import type { CallFailure } from "../shell/call-failure.ts";
import { buildHref, changeRouteQuery } from "../shell/route.ts";
import { buildStartDraftQuery } from "./draft.ts";
import { optionLabel } from "./options.tsx";
import type { FormatAdvice } from "./format-advice.ts";

const noEstimate = { rows: null, rowsAre: null, sizeBytes: null, seconds: null };

export function StartBox(props: {
  readonly type: ReportType;
  readonly start: ReportStart;
  readonly estimate: ReportEstimate | undefined;
  readonly advice: FormatAdvice | null;
  readonly failure: CallFailure | null;
  readonly isIncomplete: boolean;
  readonly isBusy: boolean;
  readonly retries: RetryingCall;
  readonly scheduleHref: string | null;
  readonly onReset: () => void;
}) {
  const { type, start, estimate, advice, failure, isBusy, retries, scheduleHref } = props;
  const { rows, rowsAre, sizeBytes, seconds } = estimate ?? noEstimate;
  const requested = typeof start.searchParam === "object" ? (start.searchParam ?? {}) : {};
  const isBlocked = advice?.isBlocked === true;
  const used = formatFilters(requested, type, start.timezone);
  return (
    <aside class="box" aria-label="Start">
      <p class="figure">
        {rows === null ? "–" : `${rowsAre === "EXACT" ? "" : "≈ "}${formatCount(rows)}`}
        <span class="muted small">{rows === 1 ? "row" : "rows"}</span>
      </p>
      <p class="muted small">
        {props.isIncomplete && "Fill in the required filters. "}
        {used !== "" ? `${used}.` : !props.isIncomplete && failure === null && noFiltersText}
        {sizeBytes !== null && ` About ${formatByteSize(sizeBytes)}.`}
        {seconds !== null && ` About ${formatDuration(Math.max(1, seconds))}.`}
      </p>
      {advice !== null && <Advice advice={advice} isBlocked={advice.isBlocked && scheduleHref === null} />}
      <FormFailure
        failure={failure}
        title="The report was not started"
        labelOf={(field) => optionLabel(field) ?? filterFieldLabel(field, type)}
      />
      {retries.retry !== null && <RetryNotice retry={retries.retry} doing="Starting" onCancel={retries.cancel} />}
      {scheduleHref === null ? (
        <>
          <button type="submit" class="primary" aria-disabled={isBusy || (isBlocked && advice.instead === undefined)}>
            {isBusy
              ? "Starting …"
              : isBlocked && advice.instead !== undefined
                ? `Start as ${advice.instead}`
                : `Start the ${start.format ?? ""} report`}
          </button>
          <a class="button schedule-this" href={buildHref("schedule", buildStartDraftQuery(start))}>
            Schedule this
          </a>
        </>
      ) : (
        <a class="button primary" href={scheduleHref}>
          Next: when it starts
        </a>
      )}
      <button type="button" class="quiet" onClick={props.onReset}>
        Start over
      </button>
    </aside>
  );
}

function Advice({ advice, isBlocked }: { readonly advice: FormatAdvice; readonly isBlocked: boolean }) {
  const { text, instead } = advice;
  return (
    <div class={`notice advice ${isBlocked ? "bad" : "warn"}`} role="status">
      <p>{instead === undefined && isBlocked ? `${text} Narrow the filters.` : text}</p>
      {!isBlocked && instead !== undefined && (
        <button type="button" class="quiet strong or" onClick={() => changeRouteQuery({ format: [instead] })}>
          Choose {instead}
        </button>
      )}
    </div>
  );
}
