import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Question, Seen } from "./meanwhile.ts";

/** How long one request of the other caller may take, and the pause after it. In milliseconds. */
const patienceMs = 10_000;
const pauseMs = 20;
/** After so many requests the process has loaded and compiled what a request takes. */
const warmUps = 20;

/** Asks until the parent process says that it is over, and tells it what was seen. What is asked first, before it says "asking", is not counted. */
const over = new AbortController();
process.once("message", (questions: readonly Question[]) => {
  process.once("message", () => over.abort());
  void (async () => {
    for (let time = 0; time < warmUps; time += 1) await Promise.all(questions.map(isAnswered));
    process.send!("asking");
    const seen = await Promise.all(questions.map(ask));
    process.send!(seen, () => process.disconnect());
  })();
});

async function ask(question: Question): Promise<Seen> {
  const { what } = question;
  const times: number[] = [];
  let asked = 0;
  while (!over.signal.aborted) {
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
