import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { loadavg } from "node:os";
import { setTimeout as wait } from "node:timers/promises";

/** How long one request of the other caller may take, and the pause after it. In milliseconds. */
const patienceMs = 10_000;
const pauseMs = 20;

/** What another caller saw of one path. Times in milliseconds. */
export interface Seen {
  readonly what: string;
  readonly asked: number;
  readonly answered: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** What another caller asks for, again and again. */
export interface Question {
  readonly what: string;
  readonly url: string;
  /** GET unless it is said. */
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks for each thing until the work is over, one request after the other. Rejects as the work does. */
export async function askMeanwhile(questions: readonly Question[], work: Promise<unknown>): Promise<readonly Seen[]> {
  let isOver = false;
  const ending = work.finally(() => (isOver = true));
  const seen = await Promise.all(questions.map(async (question) => ask(question, () => isOver)));
  await ending;
  return seen;
}

async function ask(question: Question, isOver: () => boolean): Promise<Seen> {
  const { what } = question;
  const times: number[] = [];
  let asked = 0;
  while (!isOver()) {
    const startedAt = performance.now();
    asked += 1;
    if (await isAnswered(question)) times.push(performance.now() - startedAt);
    await wait(pauseMs);
  }
  times.sort((a, b) => a - b);
  return { what, asked, answered: times.length, p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) };
}

/** Each request on a connection of its own, as a new caller has it. */
async function isAnswered({ url, method = "GET", headers = {} }: Question): Promise<boolean> {
  try {
    const asked = request(url, { agent: false, method, headers, signal: AbortSignal.timeout(patienceMs) });
    asked.end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    for await (const _ of answer) continue;
    return answer.statusCode === 200 || answer.statusCode === 201;
  } catch {
    return false;
  }
}

function quantile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}

/** One line for a person, with the machine's load. */
export function describeSeen(name: string, seen: readonly Seen[]): string {
  const parts = seen.map(
    ({ what, asked, answered, p50Ms, p99Ms }) =>
      `${what}: ${answered} of ${asked} answered, p50 ${p50Ms} ms, p99 ${p99Ms} ms`,
  );
  return `${name}: ${parts.join("; ")} (load of the machine ${loadavg()[0]!.toFixed(1)})`;
}
