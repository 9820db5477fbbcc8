import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createLogger } from "@reports/runtime";
import { waitFor } from "@reports/testing";
import { expect, it } from "vitest";
import { makeOwnDirectory } from "./own-directory.ts";
import { createSpoolFolder } from "./spool-folder.ts";

const lines: string[] = [];
const logger = createLogger({ name: "worker", level: "info", destination: { write: (line) => lines.push(line) } });

async function openDirectory() {
  const directory = await mkdtemp(join(tmpdir(), "spool-folder-test-"));
  return {
    directory,
    async add(name: string, at = new Date()): Promise<void> {
      await mkdir(join(directory, name));
      await writeFile(join(directory, name, "report-1"), "half a file");
      await utimes(join(directory, name), at, at);
    },
    spool: (unique: string, maxBytes = 1) =>
      createSpoolFolder({ directory, unique, maxBytes, logger, times: { beatMs: 50, abandonedMs: 2_000 } }),
    names: async () => new Set(await readdir(directory)),
    [Symbol.asyncDispose]: async () => rm(directory, { recursive: true }),
  };
}

it("leaves what living workers make alone, though host and process id are the same, and removes what dead ones left", async () => {
  await using opened = await openDirectory();
  const [first, second] = [opened.spool("a1"), opened.spool("b2")];
  await first.start();
  await writeFile(first.pathOf("id", 1), "half a file");
  await second.start();
  await opened.add("worker-dead");
  await opened.add("somebody-elses");
  await waitFor(async () => !(await opened.names()).has("worker-dead"), { what: "the dead worker's folder to go" });
  expect(await opened.names()).toEqual(new Set(["worker-a1", "worker-b2", "somebody-elses"]));
  expect((await stat(first.pathOf("id", 1))).size).toBe(11);
  await first.stop();
  await second.stop();
  expect(await opened.names()).toEqual(new Set(["somebody-elses"]));
});

it("removes at once what nobody has touched for a day, that of earlier versions too", async () => {
  await using opened = await openDirectory();
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await opened.add("there_17_d", longAgo);
  await opened.add("worker-01d", longAgo);
  await opened.add("there_17_e");
  await opened.add("somebody-elses", longAgo);
  const spool = opened.spool("c3");
  await spool.start();
  await spool.stop();
  expect(await opened.names()).toEqual(new Set(["there_17_e", "somebody-elses"]));
});

it("leaves the folder of an earlier version's process that lives on this host, however long that made nothing", async () => {
  await using opened = await openDirectory();
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  const host = hostname().replaceAll(/[^A-Za-z0-9.-]/g, "-");
  const living = `${host}_${process.ppid}_x`;
  await opened.add(living, longAgo);
  await opened.add(`${host}_${process.pid}_x`, longAgo);
  await opened.add(`another-${host}_${process.ppid}_x`, longAgo);
  const spool = opened.spool("f6");
  await spool.start();
  await spool.stop();
  expect(await opened.names()).toEqual(new Set([living]));
});

it("warns at its start of a disk on which the files of all slots do not fit", async () => {
  await using opened = await openDirectory();
  const isWarned = (): boolean => lines.some((line) => line.includes("smaller than WORKER_CONCURRENCY times"));
  const roomy = opened.spool("d4");
  await roomy.start();
  await roomy.stop();
  expect(isWarned()).toBe(false);
  const cramped = opened.spool("e5", Number.MAX_SAFE_INTEGER);
  await cramped.start();
  await cramped.stop();
  expect(isWarned()).toBe(true);
});

it("lets nobody else read what is being made", async () => {
  await using opened = await openDirectory();
  const spool = opened.spool("f7");
  await spool.start();
  expect((await stat(dirname(spool.pathOf("id", 1)))).mode & 0o777).toBe(0o700);
  await spool.stop();
});

it("takes only a folder of the user's own by default, whatever somebody else has put under its name", async () => {
  await using opened = await openDirectory();
  const path = (name: string): string => join(opened.directory, name);
  await makeOwnDirectory(path("fresh"));
  await makeOwnDirectory(path("fresh"));
  expect((await stat(path("fresh"))).mode & 0o777).toBe(0o700);
  await mkdir(path("open"));
  await chmod(path("open"), 0o777);
  await symlink(path("fresh"), path("link"));
  await writeFile(path("file"), "");
  for (const name of ["open", "link", "file"]) {
    await expect(makeOwnDirectory(path(name))).rejects.toThrow(/SPOOL_DIR/);
  }
});
