import { spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { signalIfRunning } from "@reports/testing";

/** A bash session that ends with the first command that fails. Disposing ends it with its background processes. */
export interface ShellSession extends AsyncDisposable {
  /** Runs commands and resolves with their standard output. `failure` is null, or the output and errors of a session that has ended. */
  run(commands: string): Promise<{ readonly stdout: string; readonly failure: string | null }>;
}

/** Starts a session in a folder. It is killed after `deadlineMs`, so that a command that never ends is reported. */
export function startShell(options: {
  readonly folder: string;
  readonly deadlineMs: number;
  readonly environment?: NodeJS.ProcessEnv;
}): ShellSession {
  const environment = options.environment ?? process.env;
  const shell = spawn("bash", ["-euo", "pipefail", "-s"], {
    cwd: options.folder,
    env: {
      ...environment,
      PATH: [dirname(process.execPath), environment["PATH"]].join(delimiter),
      // The client of the checkout is not built, so Node must load its sources.
      NODE_OPTIONS: "--conditions=@reports/source",
    },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const end = (signal: NodeJS.Signals): void => signalIfRunning(-shell.pid!, signal);
  shell.once("exit", () => end("SIGTERM"));
  const closed = new Promise<void>((resolve) => shell.once("close", () => resolve()));
  const deadline = setTimeout(() => end("SIGKILL"), options.deadlineMs);
  let [stdout, stderr] = ["", ""];
  let isComplete: (() => void) | undefined;
  shell.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    // The session writes a NUL character after the output of each step.
    if (stdout.endsWith("\0")) isComplete?.();
  });
  shell.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  // This error means that the session ended while commands were written. `run` reports the end.
  shell.stdin.on("error", () => undefined);
  return {
    async run(commands) {
      [stdout, stderr] = ["", ""];
      const completed = new Promise<void>((resolve) => (isComplete = resolve));
      // Bash reads its commands from standard input, so the commands themselves must not.
      shell.stdin.write(`{\n${commands}\n} </dev/null\nprintf '\\0'\n`);
      await Promise.race([completed, closed]);
      if (stdout.endsWith("\0")) return { stdout: stdout.slice(0, -1), failure: null };
      return { stdout, failure: `${stdout}\n${stderr}` };
    },
    async [Symbol.asyncDispose]() {
      shell.stdin.end();
      end("SIGTERM");
      await closed;
      clearTimeout(deadline);
    },
  };
}
