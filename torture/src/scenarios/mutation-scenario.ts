import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { createInvariantResult } from "../check/invariant-result.ts";
import { protectionMutations } from "../protection-mutations.ts";
import type { Scenario } from "./scenario.ts";

const violationExitCode = 1;

export const mutationScenario: Scenario = async ({ seed, only }, say) => {
  const violations: (readonly [null, string])[] = [];
  const chosen = Object.entries(protectionMutations).filter(([name]) => name.includes(only));
  for (const [name, mutation] of chosen) {
    const { code, output } = await run([...mutation.run.split(" "), "--seed", String(seed), "--mutate", name]);
    const found = output.split("\n").filter((line) => line.startsWith("BROKEN"));
    say(`${name}: exit code ${code}\n${found.map((line) => `  ${line}`).join("\n")}`);
    const broken = found.map((line) => line.split(/ +/)[1]!);
    const isNoticed = broken.some((invariant) => mutation.tells.includes(invariant)) && !broken.includes("U");
    if (code !== violationExitCode || !isNoticed)
      violations.push([null, `${name} switched off ended with ${code}:\n${output.slice(-2_000)}`]);
  }
  return {
    findings: [
      createInvariantResult(
        "M",
        "the harness finds a violation without a protection",
        `${chosen.length} mutations`,
        violations,
      ),
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
