import type { ReportScheduleInput, ReportStart, ReportType } from "@reports/client";
import type { ComponentChildren } from "preact";
import { FormFailure } from "../parts/form-failure.tsx";
import { groupIssuesByField } from "../parts/issues.ts";
import { PageHead } from "../parts/page-head.tsx";
import type { CallFailure } from "../shell/call-failure.ts";
import { readCronChoices, findScheduleFieldLabel } from "./schedule-draft.ts";
import { DraftNextRuns } from "./next-runs.tsx";
import { buildReportFormHref } from "./schedule-links.ts";
import { patternLabel, ScheduleFields } from "./schedule-fields.tsx";
import { StartSummary } from "./start-summary.tsx";

export function ScheduleForm(props: {
  readonly eyebrow: string;
  readonly title: string;
  readonly lead: string;
  readonly query: URLSearchParams;
  readonly input: ReportScheduleInput;
  readonly start: ReportStart;
  readonly type: ReportType;
  readonly failure: CallFailure | null;
  readonly failureTitle: string;
  readonly button: string;
  readonly isBusy: boolean;
  readonly onSubmit: (event: Event) => void;
  readonly children?: ComponentChildren;
}) {
  const { eyebrow, title, lead, query, input, start, type, failure } = props;
  return (
    <>
      <PageHead eyebrow={eyebrow} title={title} lead={lead}>
        <a class="button quiet" href={buildReportFormHref(start, query)}>
          Change the report
        </a>
      </PageHead>
      {props.children}
      <form class="two" onSubmit={props.onSubmit} noValidate>
        <div>
          <ScheduleFields query={query} input={input} errors={groupIssuesByField(failure?.issues ?? [])} />
        </div>
        <aside class="box" aria-label="Schedule">
          <StartSummary start={start} type={type} />
          <DraftNextRuns input={input} />
          <FormFailure
            failure={failure}
            title={props.failureTitle}
            labelOf={(field) =>
              field === "cron" && readCronChoices(query).rhythm === "cron"
                ? patternLabel
                : findScheduleFieldLabel(field)
            }
          />
          <button type="submit" class="primary" aria-disabled={props.isBusy}>
            {props.button}
          </button>
        </aside>
      </form>
    </>
  );
}
