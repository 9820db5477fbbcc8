import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CommandOutput } from "../output/command-output.ts";
import { toSafeFileName, readDownloadTarget } from "./download-target.ts";

const context = { output: { isTerminal: false } as CommandOutput, json: false };
let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "download-target-"))));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["a pipe", "pipe", "is not a regular file, and is not replaced by one. Use -o - and send standard output there."],
  ["a missing folder", "missing/", "ends with a slash, and there is no such folder."],
  ["a missing folder in a missing folder", "missing/more/", "ends with a slash, and there is no such folder."],
])("a download to %s is refused before a report is started", async (_, name, words) => {
  execFileSync("mkfifo", [join(folder, "pipe")], { stdio: "ignore" });
  await expect(readDownloadTarget(join(folder, name), context)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(words),
  });
  rmSync(join(folder, "pipe"));
});

test("-o of a download accepts an existing file, a new file or a folder", async () => {
  writeFileSync(join(folder, "older"), "");
  for (const [name, kind] of [
    ["older", "file"],
    ["newer", "file"],
    [".", "folder"],
  ] as const)
    expect(await readDownloadTarget(join(folder, name), context)).toEqual({ kind, path: join(folder, name) });
});

test.each([
  [`${"証".repeat(120)}.csv.gz`, `${"証".repeat(77)}.csv.gz`],
  ["CON.pdf", "_CON.pdf"],
  ["nul", "_nul"],
  ["com1 2026.csv", "_com1 2026.csv"],
  ["console.csv", "console.csv"],
  ["trailing. ", "trailing"],
  ['a:b*?"<>|c/d.csv', "a_b______c_d.csv"],
])("a file that the service names %s is saved as %s", (given, saved) => {
  expect(toSafeFileName(given)).toBe(saved);
  writeFileSync(join(folder, `${saved}.part`), "");
});
