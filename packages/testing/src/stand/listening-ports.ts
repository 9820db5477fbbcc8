import { readdir, readFile, readlink } from "node:fs/promises";

/** In /proc/net/tcp. */
const listening = "0A";

/** Returns the TCP ports of a process in ascending order. Linux only. */
export async function listeningPorts(pid: number): Promise<readonly number[]> {
  // A machine without IPv6 has no second table.
  const tables = await Promise.all(
    ["tcp", "tcp6"].map(async (name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  const portOf = new Map(tables.flatMap(listenersOf));
  const files = `/proc/${pid}/fd`;
  // The process may end, or close files, while they are read.
  const names = await readdir(files).catch(() => []);
  const links = await Promise.all(names.map(async (name) => readlink(`${files}/${name}`).catch(() => "")));
  const ports = links.flatMap((link) => portOf.get(link) ?? []);
  return [...new Set(ports)].toSorted((one, other) => one - other);
}

/** Returns listening sockets, as the open files of a process name them, with their ports. */
function listenersOf(table: string): readonly (readonly [string, number])[] {
  return table.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    if (state !== listening) return [];
    return [[`socket:[${inode}]`, Number.parseInt(local.split(":")[1] ?? "", 16)] as const];
  });
}
