import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createFinding, type Finding } from "./finding.ts";

const unhandledErrorText = '"msg":"unhandled error, exiting immediately"';

export async function checkUnhandledErrors(folder: string): Promise<Finding> {
  const logs = readdirSync(folder).filter((name) => name.endsWith(".log"));
  const violations: (readonly [null, string])[] = [];
  for (const log of logs) {
    for await (const line of createInterface({ input: createReadStream(join(folder, log)) })) {
      if (line.includes(unhandledErrorText)) violations.push([null, `${log}: ${line.slice(0, 500)}`]);
    }
  }
  return createFinding("R4", "no process ends by an unhandled error", `${logs.length} logs`, violations);
}
