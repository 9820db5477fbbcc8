import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";

const unhandledErrorText = '"msg":"unhandled error, exiting immediately"';

export async function checkUnhandledErrors(folder: string): Promise<InvariantResult> {
  const logs = readdirSync(folder).filter((name) => name.endsWith(".log"));
  const violations: (readonly [null, string])[] = [];
  for (const log of logs) {
    for await (const line of createInterface({ input: createReadStream(join(folder, log)) })) {
      if (line.includes(unhandledErrorText)) violations.push([null, `${log}: ${line.slice(0, 500)}`]);
    }
  }
  return createInvariantResult("R4", "no process ends by an unhandled error", `${logs.length} logs`, violations);
}
