import { readdir, readFile, readlink } from "node:fs/promises";

const listeningState = "0A";

export async function findListeningPorts(pid: number): Promise<readonly number[]> {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map(async (name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  const portOf = new Map(tables.flatMap(parseListeners));
  const files = `/proc/${pid}/fd`;
  // The process may end, or close files, while its open files are read.
  const names = await readdir(files).catch(() => []);
  const links = await Promise.all(names.map(async (name) => readlink(`${files}/${name}`).catch(() => "")));
  const ports = links.flatMap((link) => portOf.get(link) ?? []);
  return [...new Set(ports)].toSorted((one, other) => one - other);
}

function parseListeners(table: string): readonly (readonly [string, number])[] {
  return table.split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    if (state !== listeningState) return [];
    return [[`socket:[${inode}]`, Number.parseInt(local.split(":")[1] ?? "", 16)] as const];
  });
}
