import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
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

async function openReader() {
  const directory = await mkdtemp(join(tmpdir(), "reports-reader-"));
  for (const folder of folders.slice(1)) {
    await mkdir(join(directory, folder));
    const path = join(directory, folder, "1-a.csv");
    await writeFile(path, "text");
    await utimes(path, 1_700_000_000.25, 1_700_000_000.25);
  }
  const task: StatFilesTask = { directory, prefix: "", finished: true, keys: folders, areFoldersSmall: true };
  const reader = createFileStatReader();
  return {
    task,
    reader,
    /** Reads until the thread reads. Its errors have a cause, and errors of the process itself have none. */
    async startThread(): Promise<void> {
      await reader.read(task);
      const failing = { ...task, keys: [`${"x".repeat(300)}/`] };
      const causeOf = async () => reader.read(failing).catch((error: unknown) => (error as Error).cause);
      await waitFor(async () => (await causeOf()) instanceof Error, { what: "the thread to read" });
    },
    async [Symbol.asyncDispose]() {
      await reader.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

test("a thread describes the same files as the process, and skips missing folders", async () => {
  await using opened = await openReader();
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
  await using opened = await openReader();
  await opened.startThread();
  const failing = opened.reader.read({ ...opened.task, keys: [`${"x".repeat(300)}/`, ...folders] });
  await expect(failing).rejects.toMatchObject({ code: "ENAMETOOLONG", cause: expect.any(Error) });
  expect(await readAll(opened.reader.read, opened.task)).toHaveLength(filesPerTask - 1);
});

test("a read rejects if its thread ends", async () => {
  await using opened = await openReader();
  await opened.startThread();
  // The thread gets the task after the order to end, and so can't complete it. If the read came first, it could succeed before the end.
  const closing = opened.reader.close();
  const reading = opened.reader.read(opened.task);
  await expect(reading).rejects.toThrow("The thread that describes files has ended.");
  await closing;
});

test("an open thread does not keep a process running", async () => {
  await using opened = await openReader();
  const script = join(opened.task.directory, "read.mjs");
  const lines = [
    `const { createFileStatReader } = await import(${JSON.stringify(join(import.meta.dirname, "file-stat-reader.ts"))});`,
    "const reader = createFileStatReader();",
    `for (let round = 0; round < 100; round++) await reader.read(${JSON.stringify(opened.task)});`,
    "console.log('done');",
  ];
  await writeFile(script, lines.join("\n"));
  const { stdout, status } = spawnSync(process.execPath, [script], { encoding: "utf8", timeout: 60_000 });
  expect({ stdout, status }).toEqual({ stdout: "done\n", status: 0 });
});
