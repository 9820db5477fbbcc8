import { readdir, readFile, readlink } from "node:fs/promises";

/** State of a listening socket in /proc/net/tcp. */
const listening = "0A";

/**
 * Whether this process listens at the port, by what Linux says of its open files: whoever answers there may be somebody else, who took the
 * port after it was found to be free.
 */
export async function listensAt(pid: number, port: number): Promise<boolean> {
  // A machine without IPv6 lacks the second one.
  const tables = await Promise.all(
    ["tcp", "tcp6"].map(async (name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  const sockets = new Set(tables.flatMap((table) => listenersOf(table, port)));
  const files = `/proc/${pid}/fd`;
  // The process may end, or close some of them, while they are looked at.
  const names = await readdir(files).catch(() => []);
  const links = await Promise.all(names.map(async (name) => readlink(`${files}/${name}`).catch(() => "")));
  return links.some((link) => sockets.has(link));
}

/** The sockets that listen at the port, as a process's open files name them. */
function listenersOf(table: string, port: number): readonly string[] {
  return table.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    const localPort = Number.parseInt(local.split(":")[1] ?? "", 16);
    return state === listening && localPort === port ? [`socket:[${inode}]`] : [];
  });
}
