import type { Report, ReportEvent } from "@reports/client";
import { State } from "../parts/state.tsx";
import { formatDuration, formatTime } from "../parts/time-text.ts";
import { formatPrincipalName, toSentenceCase } from "../parts/text.ts";
import { statusTone } from "./report-state.tsx";

const reasonTexts: Readonly<Record<string, string>> = {
  FILE_DAMAGED: "The stored file was found damaged, twice.",
  TYPE_UNKNOWN: "The worker does not know this type. It waits for one that does.",
  VERSION_UNKNOWN: "The worker knows only an earlier version of this type. It waits for a newer one.",
  FORMAT_UNKNOWN: "The worker does not know this format. It waits for one that does.",
  FILTER_UNKNOWN: "The worker does not know one of the filters. It waits for one that does.",
  COLUMN_UNKNOWN: "The worker does not know one of the columns. It waits for one that does.",
  TYPE_UNUSABLE: "The data source of this type does not match its definition at the moment. It waits.",
  WORKER_IMPAIRED: "A part of the worker's host is broken. It waits for another worker.",
  SOURCE_UNREACHABLE: "The worker cannot reach the data source. It waits for a worker that can.",
  SPOOL_TOO_SMALL: "The worker has too little scratch space. It waits for a worker that has more.",
};

export function Timeline({ events, report }: { readonly events: readonly ReportEvent[]; readonly report: Report }) {
  const now = report.finishedAt ?? null;
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">What happened</h2>
      {events.length === 0 ? (
        <p class="muted">Reading the events …</p>
      ) : (
        <ol class="timeline">
          {events.map((event, index) => (
            <li key={event.id}>
              <State tone={statusTone(event.to)}>{eventTitle(event)}</State>
              <span class="muted small">
                <time dateTime={event.at}>{formatTime(event.at)}</time>
                {event.actor !== null && ` · by ${actorName(event.actor)}`}
              </span>
              {event.because !== null && <p>{reasonTexts[event.because] ?? toSentenceCase(event.because)}</p>}
              <Duration
                from={event.at}
                to={events[index + 1]?.at ?? null}
                word={event.to === "QUEUED" ? "waited" : "took"}
              />
            </li>
          ))}
        </ol>
      )}
      {report.attempt > 1 && (
        <p class="hint">
          {report.attempt} attempts
          {report.failures > 0 && `, ${report.failures} of at most ${report.maxFailures} failures`}
          {now === null && "; still trying"}
        </p>
      )}
    </section>
  );
}

function Duration({ from, to, word }: { readonly from: string; readonly to: string | null; readonly word: string }) {
  return to === null ? null : (
    <span class="muted small pause">
      {word} {formatDuration((Date.parse(to) - Date.parse(from)) / 1000)}
    </span>
  );
}

function actorName(actor: string): string {
  if (actor === "worker") return "the service";
  return /^schedule:[^|]*$/.test(actor) ? "its schedule" : formatPrincipalName(actor);
}

function eventTitle({ from, to, attempt }: ReportEvent): string {
  if (from === null) return "Requested";
  if (to === "RUNNING") return attempt > 1 ? `Running, attempt ${attempt}` : "Running";
  if (to === "QUEUED") return from === "RUNNING" ? "Waiting to try again" : "Returned to the queue";
  return toSentenceCase(to);
}
