import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killOnExit, listChildProcesses, signalIfRunning, waitFor } from "@reports/testing";
import { captureProgram } from "../machine/run-program.ts";

const script = join(import.meta.dirname, "boot-systemd.sh");

export interface BootedSystemd extends AsyncDisposable {
  /** The words in front of a command that make it run inside the booted system. */
  readonly enter: readonly string[];
}

/** Boots systemd on a copy of this machine (boot-systemd.sh). Disposing ends it and drops all changes. */
export async function bootSystemd(): Promise<BootedSystemd> {
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await mkdtempDisposable(join(tmpdir(), "reports-systemd-")));
  const booting = spawn("unshare", ["--mount", "bash", script, folder.path], {
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });
  const ended = once(booting, "exit");
  let systemd: number | undefined;
  // Kills systemd, after which the script cleans up. While systemd does not run yet, kills the whole process group of the script instead.
  const end = (): void => signalIfRunning(systemd ?? -booting.pid!, "SIGKILL");
  parts.defer(killOnExit({ kill: end }));
  parts.defer(async () => {
    end();
    await ended;
  });
  const enterOf = (pid: number): string[] => ["nsenter", "--target", String(pid), ...namespaces];
  await waitFor(
    async () => {
      if (booting.exitCode !== null) throw new Error("systemd has not started. Its errors are above.");
      systemd = await findSystemd(booting.pid!);
      return systemd !== undefined && (await isRunning(enterOf(systemd)));
    },
    { what: "systemd to be ready", timeoutMs: 120_000 },
  );
  const owned = parts.move();
  return { enter: enterOf(systemd!), [Symbol.asyncDispose]: async () => owned.disposeAsync() };
}

const namespaces = ["--mount", "--pid", "--uts", "--ipc", "--cgroup", "--root", "--wd"] as const;

async function findSystemd(script: number): Promise<number | undefined> {
  for (let pid: number | undefined = script; pid !== undefined; pid = listChildProcesses(pid)[0])
    if ((await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim() === "systemd") return pid;
  return undefined;
}

async function isRunning([program = "", ...args]: readonly string[]): Promise<boolean> {
  const { output } = await captureProgram({ folder: "/" }, program, [...args, "systemctl", "is-system-running"]);
  return output.trim() === "running";
}
