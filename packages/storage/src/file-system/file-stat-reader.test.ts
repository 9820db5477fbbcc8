import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitFor } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFileStatReader } from "./file-stat-reader.ts";
import { filesPerTask, statFiles, type FileStats, type StatFilesTask } from "./stat-files.ts";

const folders = Array.from({ length: filesPerTask }, (_, number) => `${String(number).padStart(3, "0")}/`);

/** Reads all keys of a task. On a busy machine, one read describes only some of them. */
async function readAll(read: (task: StatFilesTask) => Promise<FileStats>, task: StatFilesTask) {
  const all: FileStats["found"][number][] = [];
  for (let at = 0; at < task.keys.length;) {
    const { found, count } = await read({ ...task, keys: task.keys.slice(at) });
    all.push(...found);
    at += count;
  }
  return all;
}

const failingTask = (task: StatFilesTask): StatFilesTask => ({ ...task, keys: [`${"x".repeat(300)}/`] });

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "reports-reader-"));
  for (const folder of folders.slice(1)) {
    await mkdir(join(directory, folder));
    const path = join(directory, folder, "1-a.csv");
    await writeFile(path, "text");
    await utimes(path, 1_700_000_000.25, 1_700_000_000.25);
  }
});
afterAll(async () => rm(directory, { recursive: true, force: true }));

function openReader() {
  const task: StatFilesTask = { directory, prefix: "", finished: true, keys: folders, areFoldersSmall: true };
  const reader = createFileStatReader();
  return {
    task,
    reader,
    /** Reads until the thread reads. Its errors have a cause, and errors of the process itself have none. */
    async startThread(): Promise<void> {
      await reader.read(task);
      const causeOf = async () => reader.read(failingTask(task)).catch((error: unknown) => (error as Error).cause);
      await waitFor(async () => (await causeOf()) instanceof Error, { what: "the thread to read" });
    },
    [Symbol.asyncDispose]: async () => reader.close(),
  };
}

test("a thread describes the same files as the process, and skips missing folders", async () => {
  await using opened = openReader();
  const direct = await readAll(statFiles, opened.task);
  await opened.startThread();
  expect(await readAll(opened.reader.read, opened.task)).toEqual(direct);
  expect(direct).toHaveLength(filesPerTask - 1);
  expect(direct[0]).toMatchObject({
    key: "001/1-a.csv",
    sizeBytes: 4,
    lastModified: new Date(1_700_000_000_250),
    version: "1700000000250",
  });
});

test("an error in the thread keeps the system's code, and the next read succeeds", async () => {
  await using opened = openReader();
  await opened.startThread();
  const failing = opened.reader.read({ ...opened.task, keys: [`${"x".repeat(300)}/`, ...folders] });
  await expect(failing).rejects.toMatchObject({ code: "ENAMETOOLONG", cause: expect.any(Error) });
  expect(await readAll(opened.reader.read, opened.task)).toHaveLength(filesPerTask - 1);
});

test("a read rejects if its thread ends", async () => {
  await using opened = openReader();
  await opened.startThread();
  // The thread gets the task after the order to end, and so can't complete it. If the read came first, it could succeed before the end.
  const closing = opened.reader.close();
  const reading = opened.reader.read(opened.task);
  await expect(reading).rejects.toThrow("The thread that describes files has ended.");
  await closing;
});

test("an open thread does not keep a process running", async () => {
  await using opened = openReader();
  const script = join(directory, "read.mjs");
  const lines = [
    `const { createFileStatReader } = await import(${JSON.stringify(join(import.meta.dirname, "file-stat-reader.ts"))});`,
    "const reader = createFileStatReader();",
    `await reader.read(${JSON.stringify(opened.task)});`,
    // Reads until an error has a cause, which means that the thread reads.
    `while (!(await reader.read(${JSON.stringify(failingTask(opened.task))}).catch(({ cause }) => cause))) {}`,
    "console.log('done');",
  ];
  await writeFile(script, lines.join("\n"));
  const { stdout, status } = spawnSync(process.execPath, [script], { encoding: "utf8", timeout: 60_000 });
  expect({ stdout, status }).toEqual({ stdout: "done\n", status: 0 });
});
