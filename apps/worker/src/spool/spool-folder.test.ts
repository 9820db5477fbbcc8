import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createLogger } from "@reports/runtime";
import { isFullTestRun, waitFor } from "@reports/testing";
import { expect, it } from "vitest";
import { createPrivateDirectory } from "./default-directory.ts";
import { createSpoolFolder } from "./spool-folder.ts";

const lines: string[] = [];
const logger = createLogger({ name: "worker", level: "info", destination: { write: (line) => lines.push(line) } });

/** Long in CI, where a busy machine can delay the heartbeats of running workers. */
const abandonedMs = isFullTestRun ? 10_000 : 2_000;

async function openDirectory() {
  const directory = await mkdtemp(join(tmpdir(), "spool-folder-test-"));
  return {
    directory,
    async add(name: string, at = new Date()): Promise<void> {
      await mkdir(join(directory, name));
      await writeFile(join(directory, name, "report-1"), "half a file");
      await utimes(join(directory, name), at, at);
    },
    spool: (unique: string, maxFileBytes = 1) =>
      createSpoolFolder({
        directory,
        unique,
        maxFileBytes,
        concurrency: 2,
        logger,
        times: { heartbeatMs: 50, abandonedMs, olderAbandonedMs: abandonedMs },
      }),
    names: async () => new Set(await readdir(directory)),
    [Symbol.asyncDispose]: async () => rm(directory, { recursive: true }),
  };
}

it.concurrent("a starting worker removes only dead workers' spool folders, even with equal PIDs", async () => {
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

it.concurrent("a starting worker removes folders without heartbeat, of any version and date", async () => {
  await using opened = await openDirectory();
  const day = 25 * 60 * 60 * 1000;
  await opened.add("there_17_d", new Date(Date.now() - day));
  await opened.add("worker-01d", new Date(Date.now() - day));
  await opened.add("worker-02d", new Date(Date.now() + day));
  await opened.add("somebody-elses", new Date(Date.now() - day));
  const spool = opened.spool("c3");
  await spool.start();
  const areGone = async () => (await opened.names()).size === 2;
  await waitFor(areGone, { what: "the folders of dead workers to go" });
  await spool.stop();
  expect(await opened.names()).toEqual(new Set(["somebody-elses"]));
});

it.concurrent("a starting worker keeps the spool of a running worker whose clock is days behind", async () => {
  await using opened = await openDirectory();
  const longAgo = Date.now() - 50 * 60 * 60 * 1000;
  await opened.add("worker-0b");
  const heartbeatFile = join(opened.directory, "worker-0b", "alive");
  let heartbeats = 0;
  const heartbeat = async () =>
    writeFile(heartbeatFile, "").then(() =>
      utimes(heartbeatFile, new Date(), new Date(longAgo + 15_000 * heartbeats++)),
    );
  await heartbeat();
  await opened.add("worker-dead");
  const spool = opened.spool("c4");
  await spool.start();
  const isDeadRemoved = async () => heartbeat().then(async () => !(await opened.names()).has("worker-dead"));
  await waitFor(isDeadRemoved, { what: "the dead worker's folder to go" });
  await spool.stop();
  expect(await opened.names()).toEqual(new Set(["worker-0b"]));
});

it.concurrent("a starting worker keeps the spool folder of a running older worker on this host", async () => {
  await using opened = await openDirectory();
  const host = hostname().replaceAll(/[^A-Za-z0-9.-]/g, "-");
  const running = `${host}_${process.ppid}_x`;
  await opened.add(running);
  await opened.add(`${host}_${process.pid}_x`);
  await opened.add(`another-${host}_${process.ppid}_x`);
  const spool = opened.spool("f6");
  await spool.start();
  const areGone = async () => (await opened.names()).size === 2;
  await waitFor(areGone, { what: "the folders of dead processes to go" });
  await spool.stop();
  expect(await opened.names()).toEqual(new Set([running]));
});

it("the spool's full test creates a missing folder again; its quick test rejects", async () => {
  await using opened = await openDirectory();
  const spool = opened.spool("c5", Number.MAX_SAFE_INTEGER);
  await spool.start();
  await spool.glance();
  await rm(join(opened.directory, "worker-c5"), { recursive: true });
  await expect(spool.glance()).rejects.toMatchObject({ name: "HostFailureError", part: "spool" });
  await spool.prove();
  await spool.glance();
  expect((await stat(dirname(spool.pathOf("id", 1)))).mode & 0o777).toBe(0o700);
  expect(spool.largestFileBytes()).toBeLessThan(Number.MAX_SAFE_INTEGER);
  await spool.stop();
});

it("a starting worker warns if the largest files of all slots exceed the disk", async () => {
  await using opened = await openDirectory();
  lines.length = 0;
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

it("other users of the machine cannot read unfinished files in the spool", async () => {
  await using opened = await openDirectory();
  const spool = opened.spool("f7");
  await spool.start();
  expect((await stat(dirname(spool.pathOf("id", 1)))).mode & 0o777).toBe(0o700);
  await spool.stop();
});

it("a default spool folder that other users can write to is refused", async () => {
  await using opened = await openDirectory();
  const path = (name: string): string => join(opened.directory, name);
  await createPrivateDirectory(path("fresh"));
  await createPrivateDirectory(path("fresh"));
  expect((await stat(path("fresh"))).mode & 0o777).toBe(0o700);
  await mkdir(path("open"));
  await chmod(path("open"), 0o777);
  await symlink(path("fresh"), path("link"));
  await writeFile(path("file"), "");
  for (const name of ["open", "link", "file"]) {
    await expect(createPrivateDirectory(path(name))).rejects.toThrow(/SPOOL_DIR/);
  }
});
