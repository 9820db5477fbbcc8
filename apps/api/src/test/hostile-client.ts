import type { RequestListener } from "node:http";
import { openRawClient, type RawClientResponse, type RawRequest } from "./raw-client.ts";

/** Maximum size of an error response's body, in bytes. docs/reference/http.md. */
export const maxProblemBytes = 16 * 1024;
/** Maximum processor time of a request, as a multiple of that of a cheap refused request. */
export const maxHostileCpuTimeRatio = 40;
/**
 * A request that takes at most this multiple is not measured again. The most expensive requests are schedule writes, which compute run times.
 * They take 11 times as much as a cheap refused request. Higher multiples result from V8's compiler or its garbage collector.
 */
const cheapRatio = maxHostileCpuTimeRatio / 2;

export interface HostileRequest extends RawRequest {
  /** Whether the request contains a password. Its processor time has no limit, because hashing a password is expensive on purpose. */
  readonly checksPassword?: boolean;
}

export interface HostileRequestCosts {
  readonly requests: number;
  readonly largestProblem: number;
  readonly maxCpuTimeRatio: number;
}

const batchSize = 8;
/** Number of refused requests that warm up the compiler before the first measurement. */
const warmUpRequests = 200;
const rounds = 50;
const baselineRequests = 5;
/**
 * Maximum growth of the processor time of cheap requests since the first measurement. Other work of this process adds to it. Without a limit, an
 * expensive request would then look cheap.
 */
const maxBaselineGrowth = 3;

/**
 * Opens a client that sends hostile requests to one server over persistent connections, and checks their costs. It throws an error that names
 * the request in two cases: an error response is larger than `maxProblemBytes`, or a request takes more than `maxCpuTimeRatio` times the processor
 * time of a cheap refused request.
 *
 * The processor time includes client and server, which are one process. A whole batch may take as much as one request. If a batch takes more,
 * each of its requests is repeated and compared with cheap requests that are measured at the same time, because a busy machine slows down
 * both. The smallest ratio of up to `maxRepeats` counts, because the compiler and the garbage collector disturb single measurements.
 */
export async function openHostileClient(
  listener: RequestListener,
  shared: Readonly<Record<string, string>>,
  maxRepeats = 20,
) {
  const raw = await openRawClient(listener, shared);
  const seen = { requests: 0, largestProblem: 0, maxCpuTimeRatio: 0 };

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
  await leastOf(warmUpRequests, [plain]);
  const baselineMicroseconds = await leastOf(rounds, [plain]);

  async function checkCost(requests: readonly HostileRequest[], microseconds: number): Promise<void> {
    if (requests.some(({ checksPassword = false }) => checksPassword)) return;
    if (microseconds / baselineMicroseconds <= Math.min(maxHostileCpuTimeRatio, requests.length * cheapRatio)) {
      seen.maxCpuTimeRatio = Math.max(seen.maxCpuTimeRatio, microseconds / baselineMicroseconds / requests.length);
      return;
    }
    for (const request of requests) {
      let ratio = Infinity;
      for (let time = 0; time < maxRepeats && ratio > cheapRatio; time++) {
        const measured = await leastOf(baselineRequests, [plain]);
        const currentBaseline = Math.min(measured, maxBaselineGrowth * baselineMicroseconds);
        ratio = Math.min(ratio, (await leastOf(1, [request])) / currentBaseline);
      }
      seen.maxCpuTimeRatio = Math.max(seen.maxCpuTimeRatio, ratio);
      if (ratio > maxHostileCpuTimeRatio)
        throw new Error(
          `${describeRequest(request)} took ${ratio.toFixed(1)} times the processor time of a plain refusal.`,
        );
    }
  }

  async function sendAll<Request extends HostileRequest>(
    requests: readonly Request[],
    check: (request: Request, answer: RawClientResponse) => void,
  ): Promise<void> {
    // If a batch takes too much processor time, each of its requests is sent again and measured. The next batches are then smaller, so that fewer
    // requests have to be repeated.
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
          throw new Error(`${describeRequest(batch[index]!)} was answered with ${answer.status} and ${bytes} bytes.`);
        check(batch[index]!, answer);
      }
      if (microseconds / baselineMicroseconds > maxHostileCpuTimeRatio) size = Math.max(1, size / 2);
      await checkCost(batch, microseconds);
    }
  }

  return {
    port: raw.port,
    sendAll,
    async send(request: HostileRequest): Promise<RawClientResponse> {
      const answers: RawClientResponse[] = [];
      await sendAll([request], (_, answer) => void answers.push(answer));
      return answers[0]!;
    },
    costs: (): HostileRequestCosts => ({ ...seen }),
    [Symbol.asyncDispose]: async () => raw[Symbol.asyncDispose](),
  };
}

export type HostileClient = Awaited<ReturnType<typeof openHostileClient>>;

function describeRequest({ method, path, headers, body }: HostileRequest): string {
  const rest = [JSON.stringify(headers ?? {}), body?.toString() ?? ""].map((part) => part.slice(0, 200));
  return `${method} ${path.slice(0, 200)} ${rest.join(" ")}`;
}
