import type { RequestListener } from "node:http";
import { openRawClient } from "./raw-client.ts";
import type { RawAnswer, RawRequest } from "./raw-client.ts";

/** Largest body of an error response (docs/reference/http.md). */
export const maxProblemBytes = 16 * 1024;
/** Processor time of any one request, as a multiple of that of a plain refusal. */
export const maxRatio = 40;
/**
 * A request that once took no more is compared no further. The dearest requests take 11 (writes of a schedule, whose times are worked out):
 * what one of them is seen to take above that is the compiler's and the collector's.
 */
const cheapRatio = maxRatio / 2;

/** A request that a corpus makes. */
export interface HostileRequest extends RawRequest {
  /** Whether it brings a password, whose check has to be dear: its processor time is not judged. */
  readonly checksPassword?: boolean;
}

/** What all requests of a client have cost so far. */
export interface HostileCosts {
  readonly requests: number;
  readonly largestProblem: number;
  readonly maxRatio: number;
}

/** So many at once: what a request waits for, others use. */
const batchSize = 8;
/** Warms up what a plain refusal and its measure stand on. */
const warmUp = 200;
const rounds = 50;
/** Most times that a dear request is sent again: what is compiled meanwhile is dear no more. */
const repeats = 20;
/** Plain refusals beside each of them. */
const baselineRounds = 5;

/**
 * Sends requests to one server over connections that stay open, and holds the bounds of what an answer may cost: throws an error that names
 * the request when an error's answer is longer than `maxProblemBytes`, or when a request took more than `maxRatio` times the processor time
 * of a plain refusal, however often it is sent again.
 *
 * Processor time is of both sides: client and server are one process. A batch may take no more than one request may; one that does is sent
 * again request by request, each time compared with plain refusals of the same moment, because on a machine that has become busy they cost more as
 * well. The least of some comparisons counts, because compilers and collectors of garbage work in between.
 */
export async function openHostileClient(listener: RequestListener, shared: Readonly<Record<string, string>>) {
  const raw = await openRawClient(listener, shared);
  const seen = { requests: 0, largestProblem: 0, maxRatio: 0 };

  async function sendBatch(requests: readonly HostileRequest[]) {
    const before = process.cpuUsage();
    const answers = await Promise.all(requests.map(raw.ask));
    const { user, system } = process.cpuUsage(before);
    return { answers, microseconds: user + system };
  }

  async function leastOf(times: number, requests: readonly HostileRequest[]): Promise<number> {
    let least = Infinity;
    for (let time = 0; time < times; time++) least = Math.min(least, (await sendBatch(requests)).microseconds);
    return least;
  }

  const plain = { method: "GET", path: "/health/live?x=1" };
  await leastOf(warmUp, [plain]);
  const baselineMicroseconds = await leastOf(rounds, [plain]);

  async function checkCost(requests: readonly HostileRequest[], microseconds: number): Promise<void> {
    if (requests.some(({ checksPassword = false }) => checksPassword)) return;
    if (microseconds / baselineMicroseconds <= Math.min(maxRatio, requests.length * cheapRatio)) {
      seen.maxRatio = Math.max(seen.maxRatio, microseconds / baselineMicroseconds / requests.length);
      return;
    }
    for (const request of requests) {
      let ratio = Infinity;
      for (let time = 0; time < repeats && ratio > cheapRatio; time++) {
        const currentBaseline = await leastOf(baselineRounds, [plain]);
        ratio = Math.min(ratio, (await leastOf(1, [request])) / currentBaseline);
      }
      seen.maxRatio = Math.max(seen.maxRatio, ratio);
      if (ratio > maxRatio)
        throw new Error(`${named(request)} took ${ratio.toFixed(1)} times the processor time of a plain refusal.`);
    }
  }

  /** Sends them in batches, and has every answer judged. */
  async function sendAll<Request extends HostileRequest>(
    requests: readonly Request[],
    check: (request: Request, answer: RawAnswer) => void,
  ): Promise<void> {
    // Fewer at once where one batch was too much: each of it is sent again then.
    let size = batchSize;
    for (let start = 0; start < requests.length;) {
      const batch = requests.slice(start, start + size);
      start += size;
      const { answers, microseconds } = await sendBatch(batch);
      seen.requests += batch.length;
      for (const [index, answer] of answers.entries()) {
        const bytes = Buffer.byteLength(answer.text);
        if (answer.status >= 400) seen.largestProblem = Math.max(seen.largestProblem, bytes);
        if (answer.status >= 400 && bytes > maxProblemBytes)
          throw new Error(`${named(batch[index]!)} was answered with ${answer.status} and ${bytes} bytes.`);
        check(batch[index]!, answer);
      }
      if (microseconds / baselineMicroseconds > maxRatio) size = Math.max(1, size / 2);
      await checkCost(batch, microseconds);
    }
  }

  return {
    port: raw.port,
    sendAll,
    async send(request: HostileRequest): Promise<RawAnswer> {
      const answers: RawAnswer[] = [];
      await sendAll([request], (_, answer) => void answers.push(answer));
      return answers[0]!;
    },
    costs: (): HostileCosts => ({ ...seen }),
    [Symbol.asyncDispose]: async () => raw[Symbol.asyncDispose](),
  };
}

/** Requests of corpora, on their way to one API. */
export type HostileClient = Awaited<ReturnType<typeof openHostileClient>>;

function named({ method, path, headers, body }: HostileRequest): string {
  const rest = [JSON.stringify(headers ?? {}), body?.toString() ?? ""].map((part) => part.slice(0, 200));
  return `${method} ${path.slice(0, 200)} ${rest.join(" ")}`;
}
