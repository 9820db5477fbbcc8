import { spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { signalIfRunning } from "@reports/testing";

export interface ShellSession extends AsyncDisposable {
  /** Runs commands and resolves with their standard output. `failure` is null, or the output and the errors of the session if it has ended. */
  run(commands: string): Promise<{ readonly stdout: string; readonly failure: string | null }>;
}

/**
 * Starts a session in a folder. The session is killed if one call of `run`, or its own end, takes longer than `commandLimitMs`, so that a command
 * which never ends is reported.
 */
export function startShellSession(options: {
  readonly folder: string;
  readonly commandLimitMs: number;
  readonly environment?: NodeJS.ProcessEnv;
  readonly enter?: readonly string[];
}): ShellSession {
  const environment = options.environment ?? process.env;
  const [program, ...args] = [...(options.enter ?? []), "bash", "-euo", "pipefail", "-s"];
  const shell = spawn(program, args, {
    cwd: options.folder,
    env: {
      ...environment,
      PATH: [dirname(process.execPath), environment["PATH"]].join(delimiter),
      // Packages of the checkout may not be built. The condition makes Node load their sources.
      NODE_OPTIONS: "--conditions=@reports/source",
    },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const end = (signal: NodeJS.Signals): void => signalIfRunning(-shell.pid!, signal);
  shell.once("exit", () => end("SIGTERM"));
  const closed = new Promise<void>((resolve) => shell.once("close", () => resolve()));
  let ending = "";
  const startLimit = (): NodeJS.Timeout =>
    setTimeout(() => {
      ending = `\nThe session was killed, because the commands did not end within ${options.commandLimitMs} ms.`;
      end("SIGKILL");
    }, options.commandLimitMs);
  let [stdout, stderr] = ["", ""];
  let isComplete: (() => void) | undefined;
  shell.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    // A NUL character in the output marks the end of a step.
    if (stdout.endsWith("\0")) isComplete?.();
  });
  shell.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  // If the session ends while commands are written, writing fails. `run` reports the end of the session.
  shell.stdin.on("error", () => undefined);
  return {
    async run(commands) {
      [stdout, stderr] = ["", ""];
      const completed = new Promise<void>((resolve) => (isComplete = resolve));
      const limit = startLimit();
      // Bash reads the commands from its standard input. Without the redirection, a command could read the following commands as its input.
      shell.stdin.write(`{\n${commands}\n} </dev/null\nprintf '\\0'\n`);
      await Promise.race([completed, closed]);
      clearTimeout(limit);
      if (stdout.endsWith("\0")) return { stdout: stdout.slice(0, -1), failure: null };
      return { stdout, failure: `${stdout}\n${stderr}${ending}` };
    },
    async [Symbol.asyncDispose]() {
      shell.stdin.end();
      end("SIGTERM");
      const limit = startLimit();
      await closed;
      clearTimeout(limit);
    },
  };
}
