import type { ReportType } from "@reports/client";
import { useEffect, useState } from "preact/hooks";
import { PageHead } from "../parts/page-head.tsx";
import { changeRouteQuery, navigate, buildHref, replaceRoute, route } from "../shell/route.ts";
import { toCallFailure, type CallFailure } from "../shell/call-failure.ts";
import { useQuery } from "../shell/use-query.ts";
import { useRetryingCall } from "../shell/use-retrying-call.ts";
import { session, listStartableTypes } from "../shell/session.ts";
import { Columns } from "./columns.tsx";
import { StartCommands } from "./start-commands.tsx";
import {
  readStartDraft,
  readDraftFormat,
  readDraftTimezone,
  replaceFormerQueryNames,
  addDefaultFilters,
} from "./draft.ts";
import { FilterFields } from "./filter-fields.tsx";
import { Formats } from "./formats.tsx";
import { focusFirstInvalid } from "../parts/form-failure.tsx";
import { groupIssuesByField } from "../parts/issues.ts";
import { Options } from "./options.tsx";
import { SortAndGroup } from "./sort-and-group.tsx";
import { buildScheduleFormHref } from "../schedules/schedule-links.ts";
import { Preview } from "./preview.tsx";
import { useDebouncedText } from "../parts/use-debounced-text.ts";
import { findFormatAdvice } from "./format-advice.ts";
import { StartBox } from "./start-box.tsx";

export function StartPage() {
  const { query } = route.value;
  const types = listStartableTypes();
  const wanted = query.get("type");
  const type = wanted === null ? types[0] : types.find(({ reportType }) => reportType === wanted);
  if (type === undefined)
    return (
      <>
        <PageHead eyebrow="New report" title="This report type is not available to you" />
        <p>
          The link may be from another installation, or you may lack the authority for this type.{" "}
          <a href={buildHref("new")}>Choose another type</a>
        </p>
      </>
    );
  const scheduled = query.get("for") ?? "";
  // The user changes a stored schedule here. Its type cannot change.
  const isStoredSchedule = new URLSearchParams(scheduled).has("edit");
  return (
    <>
      <PageHead
        eyebrow={scheduled === "" ? "New report" : "Report of a schedule"}
        title={type.title}
        lead={<p dir="auto">{type.description}</p>}
      />
      {types.length > 1 && !isStoredSchedule && <Types types={types} chosen={type} scheduled={scheduled} />}
      <Form key={type.reportType} type={type} query={addDefaultFilters(query, type)} />
    </>
  );
}

function Types(props: {
  readonly types: readonly ReportType[];
  readonly chosen: ReportType;
  readonly scheduled: string;
}) {
  const { types, chosen, scheduled } = props;
  return (
    <fieldset class="choice types">
      <legend class="unseen">Report type</legend>
      {types.map(({ reportType, title }) => (
        <label key={reportType}>
          <input
            type="radio"
            name="type"
            checked={reportType === chosen.reportType}
            // Selecting another type removes the chosen filters and columns, because each type has different ones.
            onChange={() => navigate(buildHref("new", { type: reportType, for: scheduled }))}
          />
          {title}
        </label>
      ))}
    </fieldset>
  );
}

function Form({ type, query }: { readonly type: ReportType; readonly query: URLSearchParams }) {
  useEffect(() => {
    const current = replaceFormerQueryNames(route.value.query, type).toString();
    if (current !== route.value.query.toString()) replaceRoute(`#/new?${current}`);
  });
  const start = readStartDraft(query, type);
  const debounced = useDebouncedText(JSON.stringify({ ...start, format: undefined }));
  const estimates = useQuery(debounced, async (gateway, options) => {
    const { reportType: _, ...body } = readStartDraft(route.value.query, type);
    return gateway.reportTypes.estimates(type.reportType, body, options);
  });
  const [last, setLast] = useState<{ readonly start: string; readonly failure: CallFailure | null } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const retries = useRetryingCall();
  const asText = JSON.stringify(start);
  const failure = last?.start === asText ? last.failure : null;
  const invalid = [failure, estimates.failure].find((each) => each?.kind === "invalid") ?? null;
  // The form marks missing required fields only after the user has tried to start the report.
  const isIncomplete = failure === null && invalid?.issues.every(({ code }) => code === "required") === true;
  // If the start fails for another reason, the issues of the estimates still mark the invalid fields.
  const errors = groupIssuesByField((!isIncomplete && invalid?.issues) || []);

  const format = readDraftFormat(query, type);
  const estimate = estimates.value?.find((each) => each.format === format);
  const advice = findFormatAdvice(type, estimate);
  const isBlocked = advice?.isBlocked === true;
  const wanted = isBlocked && advice.instead !== undefined ? { ...start, format: advice.instead } : start;

  const scheduled = query.get("for");
  const scheduleHref = scheduled === null ? null : buildScheduleFormHref(start, scheduled);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (scheduleHref !== null) navigate(scheduleHref);
    if (isBusy || scheduleHref !== null || (isBlocked && advice.instead === undefined)) return;
    setBusy(true);
    try {
      const { id } = await retries.run(async (options) => session.value!.gateway.reports.start(wanted, options));
      navigate(buildHref(`reports/${id}`));
    } catch (error) {
      const failed = toCallFailure(error);
      setLast({ start: asText, failure: failed });
      if (failed !== null) focusFirstInvalid(failed);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form class={type.preview ? "two with-preview" : "two"} onSubmit={(event) => void submit(event)} noValidate>
      <div>
        <section aria-labelledby="filters">
          <h2 id="filters">Which rows</h2>
          <FilterFields type={type} query={query} errors={errors} timezone={readDraftTimezone(query)} />
        </section>
        <section aria-labelledby="columns">
          <h2 id="columns">Which columns, in which order</h2>
          <SortAndGroup type={type} query={query} errors={errors} />
          <Columns type={type} query={query} errors={errors} />
        </section>
        <section aria-labelledby="format">
          <h2 id="format">Which file</h2>
          <Formats type={type} chosen={format} estimates={estimates.value} error={errors.get("format")} />
          <Options type={type} format={format} query={query} errors={errors} />
        </section>
        <StartCommands start={start} />
      </div>
      <div class="side">
        <StartBox
          type={type}
          start={start}
          estimate={estimate}
          advice={advice}
          failure={failure ?? (isIncomplete ? null : invalid)}
          isIncomplete={isIncomplete}
          isBusy={isBusy}
          retries={retries}
          scheduleHref={scheduleHref}
          onReset={() =>
            changeRouteQuery(
              Object.fromEntries(
                [...query.keys()].filter((name) => name !== "type" && name !== "for").map((name) => [name, []]),
              ),
            )
          }
        />
        <Preview
          type={type}
          format={format}
          start={start}
          isShown={query.get("preview") !== "no"}
          isInvalid={invalid !== null}
        />
      </div>
    </form>
  );
}
