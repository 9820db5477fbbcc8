import type { ReportSchedule, ReportScheduleFire } from "@reports/client";
import { State, type Tone } from "../parts/state.tsx";
import { toSentenceCase } from "../parts/text.ts";

export function isPausedByService({ pausedBecause }: ReportSchedule): boolean {
  return pausedBecause !== null && pausedBecause.code !== "REQUESTED";
}

export function ScheduleState({ schedule }: { readonly schedule: ReportSchedule }) {
  const { status, unfitBecause } = schedule;
  if (unfitBecause !== null) return <State tone="bad">{toSentenceCase(status)}, does not fit</State>;
  if (status === "ACTIVE") return <State tone="good">Active</State>;
  if (isPausedByService(schedule)) return <State tone="warn">Paused by the service</State>;
  return <State tone="muted">{toSentenceCase(status)}</State>;
}

const toneByOutcome: Readonly<Record<string, Tone>> = { STARTED: "good", SKIPPED: "muted", REFUSED: "bad" };

const causeTexts: Readonly<Record<string, string>> = {
  MISSED: "No worker was running",
  OVERLOADED: "Too many reports were waiting",
  INVALID_PARAMETERS: "The type no longer accepts these filters or options",
};

export function RunOutcome({ run }: { readonly run: ReportScheduleFire }) {
  const { outcome, because, count } = run;
  return (
    <>
      <State tone={toneByOutcome[outcome] ?? "muted"}>
        {toSentenceCase(outcome)}
        {count > 1 && `, ${count} times`}
      </State>
      {because !== null && <span class="muted small cause">{causeTexts[because] ?? toSentenceCase(because)}</span>}
    </>
  );
}
