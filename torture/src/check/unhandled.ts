import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { finding, type Finding } from "./finding.ts";

/** What a process writes before it ends by an error that nobody handled. */
const lastWords = '"msg":"unhandled error, exiting at once"';

/** Looks through the logs of a stand: a process may end itself for a reason, but not by an error that nobody expected. */
export async function judgeUnhandled(folder: string): Promise<Finding> {
  const logs = readdirSync(folder).filter((name) => name.endsWith(".log"));
  const violations: (readonly [null, string])[] = [];
  for (const log of logs) {
    for await (const line of createInterface({ input: createReadStream(join(folder, log)) })) {
      if (line.includes(lastWords)) violations.push([null, `${log}: ${line.slice(0, 500)}`]);
    }
  }
  return finding("R4", "no process ends by an error that nobody handled", `${logs.length} logs`, violations);
}
