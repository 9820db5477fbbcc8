import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isProcessAlive, waitFor } from "@reports/testing";
import { afterAll, afterEach, expect, test } from "vitest";
import { supervise } from "./supervise.ts";
import type { Supervised } from "./supervise.ts";

const folder = mkdtempSync(join(tmpdir(), "reports-supervise-"));
let supervised: Supervised | undefined;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

afterEach(async () => {
  supervised?.kill();
  await waitFor(() => supervised?.pid === undefined, { what: "the program to be gone" });
});

/** Supervises a little program; what it prints is collected. */
function run(source: string): { readonly program: Supervised; readonly lines: string[] } {
  const file = join(folder, `${Math.random()}.mjs`);
  writeFileSync(file, source);
  const lines: string[] = [];
  const program = supervise(
    { name: "program", parameters: [file], environment: {}, workingDirectory: folder },
    { onLine: (_name, line) => lines.push(line), onProcess: () => undefined },
  );
  supervised = program;
  program.start();
  return { program, lines };
}

const slowToStop = `
  process.on("SIGTERM", () => { console.log("SIGTERM"); setTimeout(() => process.exit(0), 300); });
  setInterval(() => {}, 1000);
  console.log("up");
`;

test("a stop during a restart wins: one SIGTERM, and nothing is started again", async () => {
  const { program, lines } = run(slowToStop);
  await waitFor(() => lines.includes("up"), { what: "the program" });
  const { pid } = program;
  await Promise.all([program.restart(), program.restart(), program.stop()]);
  expect(lines).toEqual(["up", "SIGTERM"]);
  expect(program.pid).toBeUndefined();
  expect(isProcessAlive(pid!)).toBe(false);
});

test("restarts that are asked for together start one new process", async () => {
  const { program, lines } = run(slowToStop);
  await waitFor(() => lines.includes("up"), { what: "the program" });
  await Promise.all([program.restart(), program.restart()]);
  await waitFor(() => lines.filter((line) => line === "up").length > 1, { what: "the new process" });
  await program.stop();
  expect(lines).toEqual(["up", "SIGTERM", "up", "SIGTERM"]);
});

test("an end before it is ready is a failed start with the program's exit code, and is not repeated", async () => {
  const { program, lines } = run(`console.log("wrong configuration"); process.exit(78);`);
  await expect(program.failedStart).rejects.toMatchObject({ name: "FailedStartError", exitCode: 78 });
  expect(lines).toEqual(["wrong configuration"]);
  expect(program.pid).toBeUndefined();
});

test("an end after it was ready is a crash: the program is started again, with a growing pause", async () => {
  const { program, lines } = run(`console.log("up"); setTimeout(() => process.exit(3), 50);`);
  program.markReady();
  await waitFor(() => lines.filter((line) => line === "up").length === 3, { what: "two restarts" });
  expect(lines.filter((line) => line.startsWith("ended unexpectedly")).slice(0, 2)).toEqual([
    "ended unexpectedly (exit code 3), starting again in 0.5 s",
    "ended unexpectedly (exit code 3), starting again in 1 s",
  ]);
});
