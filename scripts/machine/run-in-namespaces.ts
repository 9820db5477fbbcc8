import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { CommandExitError } from "@reports/commands";
import { killOnExit, listChildProcesses, signalIfRunning } from "@reports/testing";
import { runProgram } from "./run-program.ts";

const limitMs = 3_000_000;

/**
 * Reports whether the kernel allows namespaces to this process. Otherwise, as in a container without privileges, prints why. Installing a program
 * cannot change that, so a trial is then skipped and does not fail.
 */
export async function allowsNamespaces(): Promise<boolean> {
  try {
    await runProgram({ folder: tmpdir() }, "unshare", ["--net", "--mount", "--pid", "--fork", "--mount-proc", "true"]);
    return true;
  } catch (error) {
    const { message } = error as Error;
    if (!/Operation not permitted|Permission denied/.test(message)) throw error;
    process.stderr.write(`Not tried, because this machine refuses namespaces: ${message}\n`);
    return false;
  }
}

/**
 * Runs a program in its own namespaces of processes and mounts. `options` are further options of unshare, and `enter` is a command in front of it.
 * `folder` is the folder for temporary files. Rejects if the program fails. After an interruption, too, no process and no mount stays.
 */
export async function runInNamespaces(given: {
  readonly enter?: readonly string[];
  readonly options: readonly string[];
  readonly program: readonly string[];
  readonly folder: string;
  readonly signal: AbortSignal;
}): Promise<void> {
  const { enter = [], options, program, folder, signal } = given;
  signal.throwIfAborted();
  // If this process ends in any way, unshare is killed, and its end kills all processes of the namespaces.
  const unshare = ["unshare", "--mount", "--pid", "--fork", "--kill-child", ...options];
  const child = spawn("setpriv", ["--pdeathsig", "KILL", ...enter, ...unshare, ...program], {
    // In its own session, so that Ctrl-C reaches only this process, which then ends the namespaces.
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, TMPDIR: folder },
  });
  const ended = once(child, "exit");
  // Kills the first process of the namespaces. The kernel then kills all others, and only then `unshare` ends.
  const kill = (): void => {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (!hasEnded) signalIfRunning(listChildProcesses(child.pid!)[0] ?? child.pid!, "SIGKILL");
  };
  // With this listener, a terminal that closes ends only the child, and all parts are disposed.
  process.once("SIGHUP", kill);
  const forget = killOnExit({ kill });
  const limit = AbortSignal.timeout(limitMs);
  for (const each of [signal, limit]) each.addEventListener("abort", kill);
  const [code] = (await ended) as [number | null];
  forget();
  signal.throwIfAborted();
  if (limit.aborted) throw new CommandExitError(`The trial was killed, because it did not end within ${limitMs} ms.`);
  if (code !== 0) throw new CommandExitError(`The trial failed (exit code ${code}). Its errors are above.`);
}
