import { runProgram } from "../programs.ts";

export async function measurePgbenchTps(databaseUrl: string, script: string, load: readonly string[]): Promise<number> {
  const output = await runProgram("pgbench", ["-n", "-M", "prepared", "-f", script, ...load, databaseUrl]);
  return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
}
