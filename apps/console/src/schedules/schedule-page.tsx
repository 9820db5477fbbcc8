import type { ReportSchedule } from "@reports/client";
import { Facts } from "../parts/facts.tsx";
import { Shown } from "../parts/notices.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { filterName, wordOf } from "../parts/text.ts";
import { Time } from "../parts/time.tsx";
import type { PageProps } from "../shell/pages.ts";
import { go, hrefOf } from "../shell/place.ts";
import { useRemote } from "../shell/remote.ts";
import { session } from "../shell/session.ts";
import { cronText } from "./cron.ts";
import { filterText } from "./filter-text.ts";
import { Fires } from "./fires.tsx";
import { NextFires } from "./next-fires.tsx";
import { ScheduleActions } from "./schedule-actions.tsx";
import { ScheduleState } from "./schedule-state.tsx";

const againMs = 10_000;

/** One schedule: what it starts, when next, and what came of it. */
export function SchedulePage({ id }: PageProps) {
  const remote = useRemote(
    `schedule ${id}`,
    async (gateway, signal) => (await gateway.schedules.get(id, { signal })).record,
    () => againMs,
  );
  return (
    <>
      {remote.value === null && <PageHead eyebrow="Schedule" title="Schedule" />}
      <Shown remote={remote}>{(schedule) => <Loaded schedule={schedule} reload={remote.reload} />}</Shown>
    </>
  );
}

function Loaded({ schedule, reload }: { readonly schedule: ReportSchedule; readonly reload: () => void }) {
  const { name, reportType, pausedBecause, lastFire } = schedule;
  const type = session.value?.reportTypes.find((one) => one.reportType === reportType);
  return (
    <>
      <PageHead eyebrow={type?.title ?? reportType} title={name} lead={<ScheduleState schedule={schedule} />}>
        <ScheduleActions schedule={schedule} onChange={reload} onRemoved={() => go(hrefOf("schedules"))} />
      </PageHead>
      {pausedBecause !== null && (
        <div class="notice warn">
          <h2>{wordOf(pausedBecause.code)}</h2>
          <p>{pausedBecause.detail}</p>
          <p>
            <b>What to do:</b> Once that is mended, resume it: no time of it is started until then.
          </p>
        </div>
      )}
      <div class="two">
        <div>
          {/* A fire that is new is shown at once. */}
          <Fires key={lastFire?.id} schedule={schedule} />
        </div>
        <div>
          <NextFires schedule={schedule} />
          <ScheduleFacts schedule={schedule} />
        </div>
      </div>
    </>
  );
}

function ScheduleFacts({ schedule }: { readonly schedule: ReportSchedule }) {
  const { cron, timezone, searchParam, options, missed, overlap, startsAt, endsAt, owner } = schedule;
  const filters = Object.entries(searchParam);
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">What it starts</h2>
      <Facts
        facts={
          [
            ["When", cronText(cron)],
            ["Pattern", <code key="cron">{cron}</code>],
            ["Time zone", timezone],
            ["Filters", filters.length === 0 ? "None: everything is included." : null],
            ...filters.map(([name, value]) => [filterName(name), filterText(value)] as const),
            ...Object.entries(options).map(([name, value]) => [filterName(name), [value].flat().join(", ")] as const),
            ["Missed times", missed === "LATEST" ? "The newest is made up for" : "Are skipped"],
            ["Overlap", overlap === "SKIP" ? "Skips while its last report is open" : "Up to three at once"],
            startsAt === null ? null : ["From", <Time key="from" at={startsAt} exact />],
            endsAt === null ? null : ["Until", <Time key="until" at={endsAt} exact />],
            ["Owner", owner],
          ].filter((fact) => fact === null || fact[1] !== null) as Parameters<typeof Facts>[0]["facts"]
        }
      />
    </section>
  );
}
