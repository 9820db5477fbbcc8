import { setTimeout as wait } from "node:timers/promises";
import { describeCounts } from "../check/describe-counts.ts";
import { quantile } from "../check/recovery.ts";

/** Timed from the moment at which the call was due: a slow generator must not hide that callers waited. */
export interface TimedAnswer {
  /** 0 without a response. */
  readonly status: number;
  readonly ms: number;
  readonly body: string;
}

const tickMs = 2;

/** Calls at a fixed rate, whatever the responses, until the signal aborts; resolves with all responses. */
export async function callSteadily(
  perSecond: number,
  signal: AbortSignal,
  call: (number: number) => Promise<Response>,
): Promise<TimedAnswer[]> {
  const answers: Promise<TimedAnswer>[] = [];
  const startedAt = performance.now();
  while (!signal.aborted) {
    for (let dueAt = 0; ;) {
      dueAt = startedAt + (answers.length * 1000) / perSecond;
      if (dueAt > performance.now()) break;
      answers.push(timed(call(answers.length), dueAt));
    }
    await wait(tickMs);
  }
  return Promise.all(answers);
}

async function timed(call: Promise<Response>, dueAt: number): Promise<TimedAnswer> {
  try {
    const answer = await call;
    const body = await answer.text();
    return { status: answer.status, ms: performance.now() - dueAt, body };
  } catch (error) {
    return { status: 0, ms: performance.now() - dueAt, body: (error as Error).message };
  }
}

/** The time in milliseconds of the share of fastest responses; 0 of none. */
export function timeOf(answers: readonly TimedAnswer[], share: number): number {
  const times = answers.map(({ ms }) => ms);
  return quantile(times, share) ?? 0;
}

/** Such as `202 10, 429 3`. */
export function countStatuses(answers: readonly TimedAnswer[]): string {
  const groups = Map.groupBy(answers, ({ status }) => status);
  return describeCounts(groups.entries().map(([status, group]) => [status, group.length]));
}

export function unexpectedAnswers(
  answers: readonly TimedAnswer[],
  allowed: readonly number[],
): (readonly [null, string])[] {
  return answers
    .filter(({ status }) => !allowed.includes(status))
    .map(({ status, body }) => [null, `${status} ${body.slice(0, 200)}`]);
}
