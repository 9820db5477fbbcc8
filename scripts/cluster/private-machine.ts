import { join } from "node:path";
import { runInNamespaces } from "../machine/run-in-namespaces.ts";

export const nodeAddress = "10.200.0.1";
/** Names in the guides of hosts that the trial replaces by the machine itself. */
export const hostNames = ["db.internal", "s3.internal"] as const;

const script = join(import.meta.dirname, "private-machine.sh");

/** Runs a Node.js program in namespaces of its own (private-machine.sh). Throws a CommandExitError unless it exits with 0. `signal` kills it. */
export async function runOnPrivateMachine(folder: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  const program = ["bash", script, folder, nodeAddress, hostNames.join(" "), process.execPath, ...args];
  await runInNamespaces({ options: ["--net", "--ipc", "--uts"], program, folder, signal });
}
