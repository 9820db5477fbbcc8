import type { ReportProgress } from "@reports/client";
import { useRef } from "preact/hooks";
import { formatCount } from "../parts/text.ts";
import { formatRemainingTime } from "../parts/time-text.ts";
import { estimateProgress, isSamePhase, type ProgressSample } from "./progress-estimate.ts";
import { describeProgress } from "./report-state.tsx";

export function ReportProgressCard({ progress }: { readonly progress: ReportProgress }) {
  const samples = useRef<readonly [first: ProgressSample, last: ProgressSample] | null>(null);
  const { phase, rowsDone, percent } = progress;
  const [first, last] = samples.current ?? [];
  if (last?.phase !== phase || last.rowsDone !== rowsDone || last.percent !== percent) {
    const sample = { at: Date.now(), phase, rowsDone, percent };
    samples.current = [first !== undefined && isSamePhase(first, sample) ? first : sample, sample];
  }
  const { rowsPerSecond, msLeft } = estimateProgress(...samples.current!);
  const texts = [
    ...describeProgress(progress),
    ...(rowsPerSecond === null ? [] : [`${formatCount(rowsPerSecond)} rows/s`]),
    ...(msLeft === null ? [] : [`about ${formatRemainingTime(msLeft)} left`]),
  ];
  return (
    <section class="panel" aria-labelledby="progress">
      <h2 id="progress">The file is being made</h2>
      <progress class="whole" max={100} value={percent ?? undefined} aria-label="Progress" />
      <p class="muted">{texts.join(" · ")}</p>
    </section>
  );
}
