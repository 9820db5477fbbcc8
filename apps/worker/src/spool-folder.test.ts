import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createSpoolFolder } from "./spool-folder.ts";

it("removes at its start what dead workers of this host left, and nothing of living ones or other hosts", async () => {
  const directory = await mkdtemp(join(tmpdir(), "spool-folder-test-"));
  const deadPid = spawnSync("true").pid;
  const made = {
    dead: `here_${deadPid}_a`,
    predecessor: `here_${process.pid}_b`,
    living: `here_${process.ppid}_c`,
    foreign: `there_${deadPid}_d`,
    oldForeign: `there_${deadPid}_e`,
    unknown: "somebody-elses",
  };
  for (const name of Object.values(made)) {
    await mkdir(join(directory, name));
    await writeFile(join(directory, name, "report-1"), "half a file");
  }
  const longAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await utimes(join(directory, made.oldForeign), longAgo, longAgo);
  const spool = createSpoolFolder({ directory, host: "here", pid: process.pid, unique: "me" });
  await spool.start();
  const mine = `here_${process.pid}_me`;
  expect(new Set(await readdir(directory))).toEqual(new Set([made.living, made.foreign, made.unknown, mine]));
  expect(spool.pathOf("id", 2)).toBe(join(directory, mine, "id-2"));
  await spool.stop();
  expect(await readdir(directory)).not.toContain(mine);
  await rm(directory, { recursive: true });
});
