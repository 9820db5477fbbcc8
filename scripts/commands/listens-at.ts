import { readdir, readFile, readlink } from "node:fs/promises";

/** State of a listening socket in /proc/net/tcp. */
const listening = "0A";

/**
 * Whether this process listens at the port, by what Linux says of its open files. Another process may have taken the port after it was found
 * to be free.
 */
export async function listensAt(pid: number, port: number): Promise<boolean> {
  return (await listeningPorts(pid)).includes(port);
}

/** Returns every TCP port that this process listens on, in ascending order, by what Linux says of its open files. */
export async function listeningPorts(pid: number): Promise<readonly number[]> {
  // A machine without IPv6 lacks the second one.
  const tables = await Promise.all(
    ["tcp", "tcp6"].map(async (name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  const portOf = new Map(tables.flatMap(listenersOf));
  const files = `/proc/${pid}/fd`;
  // The process may end, or close some of them, while they are read.
  const names = await readdir(files).catch(() => []);
  const links = await Promise.all(names.map(async (name) => readlink(`${files}/${name}`).catch(() => "")));
  const ports = links.flatMap((link) => portOf.get(link) ?? []);
  return [...new Set(ports)].toSorted((one, other) => one - other);
}

/** The listening sockets of a table, as a process's open files name them, with their ports. */
function listenersOf(table: string): readonly (readonly [string, number])[] {
  return table.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    if (state !== listening) return [];
    return [[`socket:[${inode}]`, Number.parseInt(local.split(":")[1] ?? "", 16)] as const];
  });
}
