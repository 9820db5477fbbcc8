import { fork } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";

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

/**
 * Does the work, and asks for each thing until it is over, one request after the other. Rejects as the work does. A process of its own asks,
 * and the work begins once that process has had an answer to each question: neither what the attacker is busy with nor what a process
 * costs at its start is to count as the API's time.
 */
export async function askMeanwhile(
  questions: readonly Question[],
  work: () => Promise<unknown>,
): Promise<readonly Seen[]> {
  // In a session of its own, as the API is.
  const caller = fork(new URL("./ask-again.ts", import.meta.url), [], { detached: true });
  const asksNow = once(caller, "message");
  caller.send(questions);
  await asksNow;
  const told = once(caller, "message") as Promise<[readonly Seen[]]>;
  try {
    await work();
  } finally {
    caller.send("over");
  }
  const [seen] = await told;
  return seen;
}

/** One line for a person, with the machine's load. */
export function describeSeen(name: string, seen: readonly Seen[]): string {
  const parts = seen.map(
    ({ what, asked, answered, p50Ms, p99Ms }) =>
      `${what}: ${answered} of ${asked} answered, p50 ${p50Ms} ms, p99 ${p99Ms} ms`,
  );
  return `${name}: ${parts.join("; ")} (load of the machine ${loadavg()[0]!.toFixed(1)})`;
}
