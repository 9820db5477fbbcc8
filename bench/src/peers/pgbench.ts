import { runProgram } from "../programs.ts";

/** Runs a pgbench script and returns transactions per second. @param load pgbench's options for clients, duration and variables */
export async function runPgbench(databaseUrl: string, script: string, load: readonly string[]): Promise<number> {
  const output = await runProgram("pgbench", ["-n", "-M", "prepared", "-f", script, ...load, databaseUrl]);
  return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
}
