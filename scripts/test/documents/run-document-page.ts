import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { findProgramPath, isAvailableOrThrowInCi } from "@reports/testing";
import { findOutputDifferences } from "./find-output-differences.ts";
import { parsePageSteps, type PageStep } from "./parse-page-steps.ts";
import { startShellSession, type ShellSession } from "./shell-session.ts";

/** Maximum ms per command. It is shorter than the timeout of a test, so that the error names the line of a command that never ends. */
const commandLimitMs = 100_000;

export async function runDocumentPage(
  path: string,
  options: {
    readonly root: string;
    readonly folder: string;
    readonly fill: (page: string) => string;
    /** Variables of the session. Default: those of this process. */
    readonly environment?: NodeJS.ProcessEnv;
  },
): Promise<{ readonly differences: readonly string[]; readonly printed: readonly string[] }> {
  const name = relative(options.root, path);
  const steps = parsePageSteps(options.fill(await readFile(path, "utf8")));
  const { folder, environment = process.env } = options;
  await using shell = startShellSession({ folder, environment, commandLimitMs });
  const differences: string[] = [];
  const printed: string[] = [];
  for (const step of steps) {
    const { found, stdout, hasFailed } = await runPageStep(shell, name, step);
    if (hasFailed) return { differences: found, printed };
    differences.push(...found);
    if (stdout !== null) printed.push(stdout);
  }
  return { differences, printed };
}

/**
 * Runs one step of a page. `found` are the differences, each with page and line. `stdout` is null if the step was not run, because the machine lacks
 * a program.
 */
export async function runPageStep(
  shell: ShellSession,
  name: string,
  { line, commands, needs, output }: PageStep,
): Promise<{ readonly found: readonly string[]; readonly stdout: string | null; readonly hasFailed: boolean }> {
  if (needs !== undefined && !isAvailableOrThrowInCi(needs, findProgramPath(needs) !== null))
    return { found: [], stdout: null, hasFailed: false };
  const { stdout, failure } = await shell.run(commands);
  if (failure !== null)
    return { found: [`${name}:${line}: the commands failed.\n${failure}`], stdout, hasFailed: true };
  const found = output === undefined ? [] : findOutputDifferences(output.language, output.text, stdout);
  return {
    found: found.map((difference) => `${name}:${output!.line}: ${difference}`),
    stdout,
    hasFailed: false,
  };
}
