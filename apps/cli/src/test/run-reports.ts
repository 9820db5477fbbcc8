import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { isAvailableOrThrowInCi, isFullTestRun, readSourceStartVariables, waitFor } from "@reports/testing";

export const reportsBinPath = join(import.meta.dirname, "../../bin/reports.js");

/** Returns a NODE_OPTIONS variable for a command that runs this JavaScript module first. It keeps the hooks that shorten the command's start. */
export function nodeOptionsWithModule(source: string): string {
  const { NODE_OPTIONS = "" } = process.env;
  return `${NODE_OPTIONS} --import=data:text/javascript,${encodeURIComponent(source)}`;
}

/** NODE_OPTIONS of a command whose short time limits are 20 times as long, because a busy machine can exceed them. */
export const patientNodeOptions = nodeOptionsWithModule(`const { timeout } = AbortSignal;
  AbortSignal.timeout = (ms) => timeout.call(AbortSignal, 20 * ms);`);

/** NODE_OPTIONS of a command whose clock runs ten times as fast. In CI, it runs at the usual speed. */
export const fastNodeOptions = nodeOptionsWithModule(`const rate = ${isFullTestRun ? 1 : 10};
  const [now, later] = [performance.now.bind(performance), setTimeout];
  performance.now = () => rate * now();
  globalThis.setTimeout = (act, ms, ...more) => later(act, ms / rate, ...more);`);

/** NODE_OPTIONS of a command whose `--timeout` passes when it prints this text on standard error. So no test waits for a timeout. */
export function nodeOptionsWithTimeoutAt(text: string): string {
  return nodeOptionsWithModule(`const timeout = new AbortController();
    AbortSignal.timeout = () => timeout.signal;
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (part, ...more) => {
      if (String(part).includes(${JSON.stringify(text)})) setImmediate(() => timeout.abort());
      return write(part, ...more);
    };`);
}

export interface CommandRun {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
  /** Resolves when standard output or standard error contains the text. */
  prints(text: string): Promise<void>;
}

export interface CommandRunContext {
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
}

export function runReportsInPipe(args: readonly string[], context: CommandRunContext): CommandRun {
  return run(process.execPath, [reportsBinPath, ...args], context);
}

/** Runs a command line on a terminal of this many columns. `out` is its output, standard input its keyboard. Needs `script` of util-linux. */
export function runOnTerminal(commandLine: string, context: CommandRunContext, columns = 160): CommandRun {
  const line = `stty cols ${columns}; ${commandLine}`;
  return run("script", ["--quiet", "--return", "--flush", "--command", line, "/dev/null"], context);
}

/** Reports whether `script` of util-linux, which opens terminals, is installed. Throws in CI if it is not. */
export function canOpenTerminals(): boolean {
  // Other systems have a different program named `script`, so the printed version must name util-linux.
  const { stdout } = spawnSync("script", ["--version"]);
  return isAvailableOrThrowInCi("`script` of util-linux, which opens terminals", String(stdout).includes("util-linux"));
}

export const reportsShellCommand = `'${process.execPath}' '${reportsBinPath}'`;

function run(program: string, args: readonly string[], { environment, folder }: CommandRunContext): CommandRun {
  const { PATH = "" } = process.env;
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      PATH,
      ...readSourceStartVariables(),
      HOME: folder,
      SHELL: "/bin/bash",
      TERM: "xterm",
      LANG: "C.UTF-8",
      ...environment,
    },
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString("latin1")));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString("latin1")));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const read = (text: string): string => Buffer.from(text, "latin1").toString();
  return {
    child,
    ended: ended.then((code) => ({ code, out: read(out), err: read(err) })),
    async prints(text) {
      await Promise.race([
        waitFor(() => read(out).includes(text) || read(err).includes(text), {
          what: `${JSON.stringify(text)} to be printed`,
          timeoutMs: 60_000,
        }),
        ended.then((code) => {
          if (!read(out).includes(text) && !read(err).includes(text))
            throw new Error(
              `The command ended with ${code} and never printed ${JSON.stringify(text)}:\n${read(out)}\n${read(err)}`,
            );
        }),
      ]);
    },
  };
}
