import { setTimeout as wait } from "node:timers/promises";
import type { LoadClient } from "../load/load-client.ts";

/** Maximum ms for which a download is repeated. */
const patienceMs = 60_000;
const pauseMs = 1_000;

/** Downloads a file. Repeats the request without a complete response and after a 5xx, which a pause of a busy machine can cause. */
export async function downloadWhenServed(
  caller: LoadClient,
  path: string,
): Promise<{ readonly status: number; readonly content: Buffer }> {
  for (const endsAt = Date.now() + patienceMs; ; await wait(pauseMs)) {
    const response = await caller.send("GET", path, "admin");
    const isLast = Date.now() > endsAt;
    if (response === null) {
      if (isLast) throw new Error(`${path} got no response.`);
      continue;
    }
    try {
      const content = Buffer.from(await response.arrayBuffer());
      if (response.status < 500 || isLast) return { status: response.status, content };
    } catch (error) {
      if (isLast) throw error;
    }
  }
}
