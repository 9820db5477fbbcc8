import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { CommandFailure } from "@reports/commands";

/** Where and with what a program runs. */
export interface ProgramPlace {
  readonly folder: string;
  /** In place of the caller's environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Runs a program to its end and gives its standard output. Throws a CommandFailure with everything that it wrote unless it ends with 0. */
export async function runProgram(
  { folder, environment = process.env }: ProgramPlace,
  program: string,
  args: readonly string[],
): Promise<string> {
  const child = spawn(program, args, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const [output, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  if (code === 0) return output;
  throw new CommandFailure(`${program} ${args.join(" ")} ended with ${code}:\n${output}${complaint}`);
}
