import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFileReader } from "./file-reader.ts";
import { filesPerTask, readFiles, type ReadFilesTask } from "./read-files.ts";

const folders = Array.from({ length: filesPerTask }, (_, number) => `${String(number).padStart(3, "0")}/`);

async function withFiles() {
  const directory = await mkdtemp(join(tmpdir(), "reports-reader-"));
  for (const folder of folders.slice(1)) {
    await mkdir(join(directory, folder));
    const path = join(directory, folder, "1-a.csv");
    await writeFile(path, "text");
    await utimes(path, 1_700_000_000.25, 1_700_000_000.25);
  }
  const task: ReadFilesTask = { directory, prefix: "", finished: true, keys: folders, areFoldersSmall: true };
  return { task, [Symbol.asyncDispose]: async () => rm(directory, { recursive: true, force: true }) };
}

test("a thread reads files as the process itself does, and skips a folder that is missing", async () => {
  await using under = await withFiles();
  const reader = createFileReader();
  const read = await reader.read(under.task);
  reader.close();
  expect(read.found).toHaveLength(filesPerTask - 1);
  expect(read).toEqual(await readFiles(under.task));
  expect(read.found[0]).toMatchObject({
    key: "001/1-a.csv",
    sizeBytes: 4,
    lastModified: new Date(1_700_000_000_250),
    version: "1700000000250",
  });
});

test("an error in the thread keeps the system's code, and the next read succeeds", async () => {
  await using under = await withFiles();
  const reader = createFileReader();
  const tooLong = `${"x".repeat(300)}/`;
  const failing = reader.read({ ...under.task, keys: [tooLong, ...folders] });
  await expect(failing).rejects.toMatchObject({ code: "ENAMETOOLONG" });
  expect((await reader.read(under.task)).found).toHaveLength(filesPerTask - 1);
  reader.close();
});

test("a read rejects if its thread ends, and an open thread does not keep a process running", async () => {
  await using under = await withFiles();
  const reader = createFileReader();
  const reading = reader.read(under.task);
  reader.close();
  await expect(reading).rejects.toThrow("The thread that reads files has ended.");
  const script = join(under.task.directory, "read.mjs");
  const lines = [
    `const { createFileReader } = await import(${JSON.stringify(join(import.meta.dirname, "file-reader.ts"))});`,
    `const { found } = await createFileReader().read(${JSON.stringify(under.task)});`,
    "console.log(found.length);",
  ];
  await writeFile(script, lines.join("\n"));
  const { stdout, status } = spawnSync(process.execPath, [script], { encoding: "utf8", timeout: 60_000 });
  expect({ stdout, status }).toEqual({ stdout: `${filesPerTask - 1}\n`, status: 0 });
});
