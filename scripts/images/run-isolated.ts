import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { killOnExit, signalIfRunning } from "@reports/testing";
import { runProgram } from "../packages/run-program.ts";
import { removeControlGroups } from "./control-groups.ts";
import { createNetworkNamespace } from "./network-namespace.ts";

const main = join(import.meta.dirname, "isolated-main.ts");
const limitMs = 3_000_000;
const namespaces = ["--mount", "--pid", "--fork", "--mount-proc"] as const;

/** Folders of the containerd and the Docker Engine of the machine. The trial sees empty ones instead. */
const hiddenFolders = ["/run/containerd", "/run/docker", "/etc/docker", "/opt/containerd"];
/** A name server at a loopback address is systemd's, and the network of the trial has no access to it. systemd's other file names its servers. */
const script = `
if grep -q '^nameserver 127\\.' /etc/resolv.conf; then
  mount --bind /run/systemd/resolve/resolv.conf /etc/resolv.conf
fi
for hidden in ${hiddenFolders.join(" ")}; do
  mount -t tmpfs tmpfs "$hidden"
done
"$@" &
wait "$!"
`;

/** Returns the error if the kernel refuses namespaces to this process, as in a container without privileges. Rejects for other errors. */
export async function findRefusal(): Promise<string | undefined> {
  return runProgram({ folder: tmpdir() }, "unshare", ["--net", ...namespaces, "true"]).then(
    () => undefined,
    (error: Error) => {
      if (/Operation not permitted|Permission denied/.test(error.message)) return error.message;
      throw error;
    },
  );
}

/**
 * Runs isolated-main.ts with `args` in its own namespaces of processes, mounts and networks, and in a temporary folder. After an interruption, too, no
 * process, mount, port or rule of the firewall stays. After SIGKILL, its folder stays, and the next trial removes the rules. Rejects if the program fails.
 */
export async function runIsolated(args: readonly string[], signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "images-"));
  // Postgres runs as another user and reads its certificate there.
  await chmod(folder, 0o755);
  await using parts = new AsyncDisposableStack();
  parts.defer(async () => rm(folder, { recursive: true, force: true }));
  for (const hidden of hiddenFolders)
    if ((await mkdir(hidden, { recursive: true })) !== undefined)
      parts.defer(async () => rmdir(hidden).catch(() => undefined));
  const network = parts.use(await createNetworkNamespace(folder));
  parts.defer(removeControlGroups);
  signal.throwIfAborted();
  const program = [process.execPath, "--conditions=@reports/source", main, folder, ...args];
  // If this process ends in any way, unshare is killed, and its end kills all processes of the namespaces.
  const enter = ["--pdeathsig", "KILL", ...network.enter, "unshare", ...namespaces, "--kill-child"];
  const child = spawn("setpriv", [...enter, "sh", "-euc", script, "sh", ...program], {
    // In its own session, so that Ctrl-C reaches only this process, which then ends the namespaces.
    detached: true,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, TMPDIR: folder },
  });
  const ended = once(child, "exit");
  const kill = (): void => signalIfRunning(findFirstProcess(child.pid!) ?? child.pid!, "SIGKILL");
  // With this listener, a terminal that closes ends only the child, and all parts are disposed.
  process.once("SIGHUP", kill);
  parts.defer(killOnExit({ kill }));
  const limit = AbortSignal.timeout(limitMs);
  for (const each of [signal, limit]) each.addEventListener("abort", kill);
  const [code] = (await ended) as [number | null];
  signal.throwIfAborted();
  if (limit.aborted) throw new CommandExitError(`The trial was killed, because it did not end within ${limitMs} ms.`);
  if (code !== 0) throw new CommandExitError("The trial failed. Its errors are above.");
}

/**
 * Builds the images of API and worker, and saves them in the file `archive`, as `docker save` does. Images with the tag `named` differ from those with
 * the tag `latest` in a label.
 */
export async function saveAppImages(archive: string, signal: AbortSignal): Promise<void> {
  await runIsolated([archive], signal);
}

/** Returns the first process of the namespace. If it ends, the kernel kills all others, and only then `unshare` ends. */
function findFirstProcess(parent: number): number | undefined {
  const list = `/proc/${parent}/task/${parent}/children`;
  const [first] = existsSync(list) ? readFileSync(list, "utf8").split(" ") : [];
  return first ? Number(first) : undefined;
}
