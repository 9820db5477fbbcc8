import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { killOnExit, signalIfRunning, waitFor } from "@reports/testing";

const script = join(import.meta.dirname, "boot-systemd.sh");

export interface BootedSystemd extends AsyncDisposable {
  /** The words in front of a command that make it run inside the booted system. */
  readonly enter: readonly string[];
}

/** Boots systemd on a copy of this machine (boot-systemd.sh). Disposing ends it and drops all changes. */
export async function bootSystemd(): Promise<BootedSystemd> {
  const folder = await mkdtemp(join(tmpdir(), "reports-systemd-"));
  const booting = spawn("unshare", ["--mount", "bash", script, folder], {
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });
  const ended = once(booting, "exit");
  let systemd: number | undefined;
  // Kills systemd, after which the script cleans up. While systemd does not run yet, kills the whole process group of the script instead.
  const end = (): void => signalIfRunning(systemd ?? -booting.pid!, "SIGKILL");
  const forget = killOnExit({ kill: end });
  const dispose = async (): Promise<void> => {
    end();
    await ended;
    forget();
    await rm(folder, { recursive: true, force: true });
  };
  const enterOf = (pid: number): string[] => ["nsenter", "--target", String(pid), ...namespaces];
  try {
    await waitFor(
      async () => {
        if (booting.exitCode !== null) throw new Error("systemd has not started. Its errors are above.");
        systemd = await findSystemd(booting.pid!);
        return systemd !== undefined && (await isRunning(enterOf(systemd)));
      },
      { what: "systemd to be ready", timeoutMs: 120_000 },
    );
  } catch (error) {
    await dispose();
    throw error;
  }
  return { enter: enterOf(systemd!), [Symbol.asyncDispose]: dispose };
}

const namespaces = ["--mount", "--pid", "--uts", "--ipc", "--cgroup", "--root", "--wd"] as const;

async function findSystemd(script: number): Promise<number | undefined> {
  for (let pid = script; ;) {
    if ((await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim() === "systemd") return pid;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
    if (children === "") return undefined;
    pid = Number(children.split(" ")[0]);
  }
}

async function isRunning([program = "", ...args]: readonly string[]): Promise<boolean> {
  return promisify(execFile)(program, [...args, "systemctl", "is-system-running"]).then(
    ({ stdout }) => stdout.trim() === "running",
    () => false,
  );
}
