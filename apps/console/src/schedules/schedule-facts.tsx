import type { ReportSchedule, ReportType } from "@reports/client";
import { formatSortTitle } from "../parts/format-sort-title.ts";
import { Facts, otherFacts, type Fact } from "../parts/facts.tsx";
import { FilterSummary } from "../parts/filter-summary.tsx";
import { deriveFieldLabel } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";
import { PrincipalName } from "../parts/format-principal-name.tsx";
import { optionLabel, formatOption } from "../start/options.tsx";
import { describeCron } from "./cron.ts";
import { patternLabel } from "./schedule-fields.tsx";

const explicitFields: readonly (keyof ReportSchedule)[] = [
  "id",
  "name",
  "reportType",
  "searchParam",
  "options",
  "cron",
  "timezone",
  "startsAt",
  "endsAt",
  "status",
  "pausedBecause",
  "unfitBecause",
  "missed",
  "missedWithinSeconds",
  "overlap",
  "nextFireAt",
  "nextFires",
  "lastFire",
  "owner",
  "createdAt",
  "updatedAt",
];

export function ScheduleFacts(props: { readonly schedule: ReportSchedule; readonly type: ReportType | undefined }) {
  const { schedule, type } = props;
  const { cron, timezone, searchParam, options, missed, overlap, startsAt, endsAt, owner } = schedule;
  const optionFacts = Object.entries(options).map(([name, value]): Fact => [
    optionLabel(name) ?? deriveFieldLabel(name),
    [value]
      .flat()
      .map((one) => formatSortTitle(type, formatOption(name, one)))
      .join("; "),
  ]);
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">Report</h2>
      <Facts
        facts={[
          describeCron(cron) === cron ? null : ["When", describeCron(cron)],
          [patternLabel, <code key="cron">{cron}</code>],
          ["Time zone", timezone],
          ["Filters", <FilterSummary key="filters" searchParam={searchParam} type={type} timezone={timezone} />],
          ...optionFacts,
          ["Missed times", missed === "LATEST" ? "The latest one is made up for" : "Skipped"],
          [
            "Overlap",
            overlap === "SKIP" ? "Skipped while its last report is unfinished" : "Up to three reports at the same time",
          ],
          startsAt === null ? null : ["From", <Time key="from" at={startsAt} exact />],
          endsAt === null ? null : ["Until", <Time key="until" at={endsAt} exact />],
          ["Owner", <PrincipalName key="owner" id={owner} />],
          ...otherFacts(schedule, explicitFields),
        ]}
      />
    </section>
  );
}
