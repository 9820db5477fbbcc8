import { runProgram } from "../programs.ts";

/** @param load clients, duration and variables. */
export async function runPgbench(
  databaseUrl: string,
  script: string,
  load: readonly string[],
): Promise<{ readonly perSecond: number; readonly transactions: number }> {
  const output = await runProgram("pgbench", ["-n", "-M", "prepared", "-f", script, ...load, databaseUrl]);
  return {
    perSecond: Number(/tps = ([\d.]+)/.exec(output)?.[1]),
    transactions: Number(/actually processed: (\d+)/.exec(output)?.[1]),
  };
}
