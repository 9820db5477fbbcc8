import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { CommandExitError } from "@reports/commands";

interface RunProgramOptions {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** `inherit` shows errors and progress while a long program runs. The default captures them. */
  readonly stderr?: "pipe" | "inherit";
}

/** Runs a program to its end and returns its standard output. Throws a CommandExitError unless it exits with 0. */
export async function runProgram(
  options: RunProgramOptions,
  program: string,
  args: readonly string[],
): Promise<string> {
  const { code, output, errorOutput } = await captureProgram(options, program, args);
  if (code === 0) return output;
  throw new CommandExitError(`${program} ${args.join(" ")} ended with ${code}:\n${output}${errorOutput}`);
}

export async function captureProgram(
  { folder, environment = process.env, input, stderr = "pipe" }: RunProgramOptions,
  program: string,
  args: readonly string[],
) {
  const child = spawn(program, args, {
    cwd: folder,
    env: environment,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", stderr],
  });
  const closed = once(child, "close").catch((error: unknown) => {
    throw new CommandExitError(`${program} cannot be run (${String(error)}). .ci/run installs it.`);
  });
  // A program that exits without reading its input causes an EPIPE error. Its exit code says why it exited.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  const [output, errorOutput, [code]] = await Promise.all([
    text(child.stdout!),
    child.stderr === null ? "" : text(child.stderr),
    closed as Promise<[number | null]>,
  ]);
  return { code, output, errorOutput };
}

/** Runs a program that writes to the streams of this process. Returns its exit code, or 1 if a signal ended it. */
export async function runVisibly(
  { folder, environment = process.env }: Pick<RunProgramOptions, "folder" | "environment">,
  program: string,
  args: readonly string[],
  stdout: "inherit" | "ignore" | 2 = "inherit",
): Promise<number> {
  const child = spawn(program, args, { cwd: folder, env: environment, stdio: ["ignore", stdout, 2] });
  const [code] = (await once(child, "close")) as [number | null];
  return code ?? 1;
}
