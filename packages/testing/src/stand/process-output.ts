import type { ChildProcess, StdioOptions } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setImmediate, setTimeout as delay } from "node:timers/promises";

export interface ProcessOutput {
  open(): { readonly stdio: StdioOptions; follow(child: ChildProcess): void };
  text(): string;
  /** Returns standard output so far. Empty if the output goes to a file. */
  stdout(): string;
  drained(child: ChildProcess): Promise<void>;
}

/** Limits the wait for the end of output. A child of a killed process can keep its streams open. */
const drainMs = 1_000;

/** Keeps at least the last `maxLength / 2` characters of the output in memory, and passes each line to `onLine`. */
export function createMemoryProcessOutput(onLine?: (line: string) => void, maxLength = 2 ** 24): ProcessOutput {
  const kept = { all: "", stdout: "" };
  const keep = (stream: keyof typeof kept, text: string): void => {
    kept[stream] += text;
    if (kept[stream].length > maxLength) kept[stream] = kept[stream].slice(-maxLength / 2);
  };
  return {
    open: () => ({
      stdio: ["ignore", "pipe", "pipe"],
      follow({ stdout, stderr }) {
        for (const stream of [stdout!, stderr!]) {
          stream.setEncoding("utf8").on("data", (text: string) => keep("all", text));
          if (onLine !== undefined) createInterface({ input: stream, crlfDelay: Infinity }).on("line", onLine);
        }
        stdout!.on("data", (text: string) => keep("stdout", text));
      },
    }),
    text: () => kept.all,
    stdout: () => kept.stdout,
    async drained(child) {
      const isOpen = [child.stdout, child.stderr].some((stream) => stream?.closed === false);
      // After a standstill of this process, the time limit is over before Node has read the output. `setImmediate` lets Node read it.
      if (isOpen) await Promise.race([once(child, "close"), delay(drainMs).then(async () => setImmediate())]);
    },
  };
}

export function createFileProcessOutput(path: string): ProcessOutput {
  return {
    open() {
      const file = openSync(path, "a");
      return { stdio: ["ignore", file, file], follow: () => closeSync(file) };
    },
    text: () => readFileSync(path, "utf8"),
    stdout: () => "",
    drained: async () => undefined,
  };
}
