import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signToken } from "@reports/testing";
import type { CliService } from "./cli-service.ts";
import { runReportsInPipe, runOnTerminal, type CommandRun } from "./run-reports.ts";

export type EnvironmentVariables = Readonly<Record<string, string>>;

/** Runs the command in a temporary folder. Disposing kills processes that still run, and removes the folder. */
export interface CommandsUnderTest extends Disposable {
  readonly folder: string;
  /**
   * Returns the environment of a new caller with the given authorities, by default with all. A test that uses up a limit per caller needs its own
   * caller.
   */
  newCaller(authorities?: readonly string[]): EnvironmentVariables;
  pipe(args: readonly string[], environment?: EnvironmentVariables): CommandRun;
  terminal(commandLine: string, environment?: EnvironmentVariables, columns?: number): CommandRun;
}

export function createCommandsUnderTest({ url, jwtSecret }: Pick<CliService, "url" | "jwtSecret">): CommandsUnderTest {
  const folder = mkdtempSync(join(tmpdir(), "reports-cli-"));
  const runs: CommandRun[] = [];
  const track = (run: CommandRun): CommandRun => {
    runs.push(run);
    return run;
  };
  const newCaller: CommandsUnderTest["newCaller"] = (authorities) => ({
    REPORTS_URL: url,
    REPORTS_TOKEN: signToken({
      secret: jwtSecret,
      subject: `caller-${randomUUID()}`,
      ...(authorities === undefined ? {} : { authorities }),
    }),
  });
  return {
    folder,
    newCaller,
    pipe: (args, environment = newCaller()) => track(runReportsInPipe(args, { environment, folder })),
    terminal: (commandLine, environment = newCaller(), columns = 160) =>
      track(runOnTerminal(commandLine, { environment, folder }, columns)),
    [Symbol.dispose]() {
      for (const { child } of runs) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
