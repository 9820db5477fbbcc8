import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { removeControlGroup } from "../machine/control-groups.ts";
import { runInNamespaces } from "../machine/run-in-namespaces.ts";
import { createTrialFolder } from "../machine/trial-machine.ts";
import { controlGroup } from "./docker-engine.ts";
import { createNetworkNamespace } from "./network-namespace.ts";

const main = join(import.meta.dirname, "isolated-main.ts");
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

/**
 * Runs isolated-main.ts with `args` in its own namespaces of processes, mounts and networks, and in a temporary folder. After an interruption, too, no
 * process, mount, port or rule of the firewall stays. After SIGKILL, its folder stays, and the next trial removes the rules. Rejects if the program fails.
 */
export async function runIsolated(args: readonly string[], signal: AbortSignal): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const { path: folder } = parts.use(await createTrialFolder("images-"));
  for (const hidden of hiddenFolders)
    if ((await mkdir(hidden, { recursive: true })) !== undefined)
      parts.defer(async () => rmdir(hidden).catch(() => undefined));
  const { enter } = parts.use(await createNetworkNamespace(folder));
  parts.defer(async () => removeControlGroup(controlGroup));
  const node = [process.execPath, "--conditions=@reports/source", main, folder, ...args];
  const program = ["sh", "-euc", script, "sh", ...node];
  await runInNamespaces({ enter, options: ["--mount-proc"], program, folder, signal });
}
