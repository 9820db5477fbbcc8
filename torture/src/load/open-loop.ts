import { setTimeout as wait } from "node:timers/promises";
import { describeCounts } from "../check/describe-counts.ts";
import { quantile } from "../check/recovery.ts";

/** A response and its latency in ms. The latency counts from the time at which the call was due. So it includes waiting in a slow load generator. */
export interface TimedResponse {
  /** The value 0 means that there was no response. */
  readonly status: number;
  readonly ms: number;
  readonly body: string;
}

const tickMs = 2;

export async function callAtFixedRate(
  perSecond: number,
  signal: AbortSignal,
  call: (number: number) => Promise<Response>,
): Promise<TimedResponse[]> {
  const responses: Promise<TimedResponse>[] = [];
  const startedAt = performance.now();
  while (!signal.aborted) {
    for (let dueAt = 0; ;) {
      dueAt = startedAt + (responses.length * 1000) / perSecond;
      if (dueAt > performance.now()) break;
      responses.push(timeResponse(call(responses.length), dueAt));
    }
    await wait(tickMs);
  }
  return Promise.all(responses);
}

async function timeResponse(call: Promise<Response>, dueAt: number): Promise<TimedResponse> {
  try {
    const response = await call;
    const body = await response.text();
    return { status: response.status, ms: performance.now() - dueAt, body };
  } catch (error) {
    return { status: 0, ms: performance.now() - dueAt, body: (error as Error).message };
  }
}

export function computeLatencyQuantileMs(responses: readonly TimedResponse[], share: number): number {
  const times = responses.map(({ ms }) => ms);
  return quantile(times, share) ?? 0;
}

export function describeStatuses(responses: readonly TimedResponse[]): string {
  const groups = Map.groupBy(responses, ({ status }) => status);
  return describeCounts(groups.entries().map(([status, group]) => [status, group.length]));
}

export function findUnexpectedResponses(
  responses: readonly TimedResponse[],
  allowed: readonly number[],
): (readonly [null, string])[] {
  return responses
    .filter(({ status }) => !allowed.includes(status))
    .map(({ status, body }) => [null, `${status} ${body.slice(0, 200)}`]);
}
