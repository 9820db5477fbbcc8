import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { finding } from "../check/finding.ts";
import type { mutations } from "../mutations.ts";
import type { Scenario } from "./scenario.ts";

/** The shortest run in which the absence of each protection shows, and the invariant that has to tell. */
const runs: Readonly<
  Record<keyof typeof mutations, { readonly parameters: string; readonly tells: readonly string[] }>
> = {
  fence: { parameters: "chaos --only lease --reports 120 --kills 0 --patience 60", tells: ["I3", "I8"] },
  rescuer: { parameters: "chaos --only worker --reports 30 --kills 4 --patience 45", tells: ["I2"] },
  cas: { parameters: "chaos --only nothing --reports 150 --kills 0 --clients 4 --patience 60", tells: ["I8"] },
  backoff: { parameters: "store-away --minutes 0.5 --reports 20", tells: ["S2"] },
  "batch-delay": { parameters: "graceful-exits --times 4", tells: ["G1"] },
};
/** The harness's exit code when an invariant did not hold. */
const broken = 1;

/** Runs the harness once for each mutation; each run must find that something does not hold. */
export const mutationCheck: Scenario = async ({ seed }, say) => {
  const violations: (readonly [null, string])[] = [];
  for (const [name, { parameters, tells }] of Object.entries(runs)) {
    const { code, output } = await run([...parameters.split(" "), "--seed", String(seed), "--mutate", name]);
    const found = output.split("\n").filter((line) => line.startsWith("BROKEN"));
    say(`${name}: exit code ${code}\n${found.map((line) => `  ${line}`).join("\n")}`);
    const told = found.some((line) => tells.includes(line.split(/ +/)[1]!));
    if (code !== broken || !told)
      violations.push([null, `${name} switched off ended with ${code}:\n${output.slice(-2_000)}`]);
  }
  return {
    findings: [
      finding("M", "the harness goes red without a protection", `${Object.keys(runs).length} mutations`, violations),
    ],
    figures: [],
    snapshot: null,
    folder: tmpdir(),
  };
};

async function run(parameters: readonly string[]): Promise<{ code: number | null; output: string }> {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@reports/source", main, ...parameters], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const kill = (): void => void child.kill("SIGTERM");
  process.once("exit", kill);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  process.off("exit", kill);
  return { code, output };
}
