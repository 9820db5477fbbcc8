import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { CommandExitError } from "@reports/commands";

export interface RunProgramOptions {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export async function runProgram(
  { folder, environment = process.env }: RunProgramOptions,
  program: string,
  args: readonly string[],
): Promise<string> {
  const child = spawn(program, args, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close");
  const [output, errorOutput] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  if (code === 0) return output;
  throw new CommandExitError(`${program} ${args.join(" ")} ended with ${code}:\n${output}${errorOutput}`);
}
