import { readFile, writeFile } from "node:fs/promises";
import { CommandExitError } from "@reports/commands";
import { runProgram } from "../machine/run-program.ts";

const name = "report-images";
const address = "172.31.254.1";
const subnet = "172.31.254.0/30";
const forwardFile = "/proc/sys/net/ipv4/ip_forward";
/** Rules of the machine's firewall, without the action: this trial inserts them, and deletes them at its end. */
const rules = [
  ["nat", "POSTROUTING", "--source", subnet, "--jump", "MASQUERADE"],
  ["filter", "FORWARD", "--in-interface", name, "--jump", "ACCEPT"],
  ["filter", "FORWARD", "--out-interface", name, "--jump", "ACCEPT"],
] as const;

export interface NetworkNamespace extends AsyncDisposable {
  /** The words in front of a command that make it run in the namespace. */
  readonly enter: readonly string[];
}

/**
 * Creates a network namespace with access to the networks of this machine. The rules, bridges and ports of programs in it do not change those of
 * the machine. Removes the namespace of a trial that was killed. Disposing removes the namespace. Dispose it only when all its processes have
 * ended.
 */
export async function createNetworkNamespace(folder: string): Promise<NetworkNamespace> {
  const run = async (program: string, ...args: readonly string[]): Promise<string> =>
    runProgram({ folder }, program, args);
  const ip = async (args: string): Promise<string> => run("ip", ...args.split(" "));
  const tablesBefore = await run("iptables-save");
  const hasForwarded = (await readFile(forwardFile, "utf8")).trim() === "1";
  const [route] = JSON.parse(await ip("-json route show default")) as { readonly dev?: string }[];
  const mtu = route?.dev === undefined ? "1500" : (await readFile(`/sys/class/net/${route.dev}/mtu`, "utf8")).trim();
  const remove = async (): Promise<void> => {
    for (const [table, ...rule] of rules)
      await run("iptables", "--wait", "--table", table, "--delete", ...rule).catch(() => undefined);
    await ip(`link delete ${name}`).catch(() => undefined);
    await ip(`netns delete ${name}`).catch(() => undefined);
  };
  const running = await ip(`netns pids ${name}`).catch(() => "");
  if (running !== "")
    throw new CommandExitError(`Another trial of the images is running (process ${running.trim().split("\n")[0]}).`);
  await remove();
  await using parts = new AsyncDisposableStack();
  parts.defer(async () => {
    await remove();
    if (!hasForwarded) await writeFile(forwardFile, "0");
    for (const table of ["nat", "filter"]) {
      const isUsed = tablesBefore.includes(`*${table}\n`) || /^-A/m.test(await run("iptables-save", "--table", table));
      if (!isUsed) await run("sh", "-euc", `printf '*${table}\\nCOMMIT\\n' | iptables-restore`);
    }
  });
  await ip(`netns add ${name}`);
  await ip(`link add ${name} mtu ${mtu} type veth peer name eth0 mtu ${mtu} netns ${name}`);
  await ip(`address add ${address}/30 dev ${name}`);
  await ip(`link set ${name} up`);
  await ip(`-netns ${name} address add 172.31.254.2/30 dev eth0`);
  for (const link of ["lo", "eth0"]) await ip(`-netns ${name} link set ${link} up`);
  await ip(`-netns ${name} route add default via ${address}`);
  if (!hasForwarded) await writeFile(forwardFile, "1");
  for (const [table, ...rule] of rules) await run("iptables", "--wait", "--table", table, "--insert", ...rule);
  const owned = parts.move();
  // `ip netns exec` would hide the control groups, because it mounts /sys again.
  return { enter: ["nsenter", `--net=/run/netns/${name}`], [Symbol.asyncDispose]: async () => owned.disposeAsync() };
}
