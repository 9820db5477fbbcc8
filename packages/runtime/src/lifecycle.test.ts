import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";

/** Runs the fixture and sends each signal when its line is printed. Returns exit code, output and errors. */
async function run(scenario: string, signals: Record<string, NodeJS.Signals> = {}) {
  const child = spawn(process.execPath, [
    "--conditions=@reports/source",
    join(import.meta.dirname, "lifecycle.fixture.ts"),
    scenario,
  ]);
  const errors = text(child.stderr);
  const lines: string[] = [];
  const reading = (async () => {
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      const signal = signals[line];
      if (signal !== undefined) child.kill(signal);
    }
  })();
  const [exitCode] = (await once(child, "close")) as [number | null];
  await reading;
  return { exitCode, lines, errors: await errors };
}

const startedAll = ["start one", "start two", "start three", "ready"];
const stoppedAll = ["stop three", "stop two", "stop one"];

describe("the lifecycle of a process", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "starts in order, and on %s stops in reverse with exit code 0",
    async (signal) => {
      const { exitCode, lines } = await run("plain", { ready: signal });
      expect(lines).toEqual([...startedAll, ...stoppedAll]);
      expect(exitCode).toBe(0);
    },
  );

  it("aborts the stop of a step that hangs, and exits with 1", async () => {
    const { exitCode, lines } = await run("stuck", { ready: "SIGTERM" });
    expect(lines).toEqual([...startedAll, "stop three", "stop two", "stuck", "two was told to hurry", "stop one"]);
    expect(exitCode).toBe(1);
  });

  it("stops the remaining steps when one stop fails, and exits with 1", async () => {
    const { exitCode, lines } = await run("stop fails", { ready: "SIGTERM" });
    expect(lines).toEqual([...startedAll, ...stoppedAll]);
    expect(exitCode).toBe(1);
  });

  it("ignores a second SIGTERM during the stop, and exits with 0", async () => {
    const { exitCode, lines } = await run("told twice", { ready: "SIGTERM", "waits for the second": "SIGTERM" });
    expect(lines).toEqual([...startedAll, "stop three", "stop two", "waits for the second", "stop one"]);
    expect(exitCode).toBe(0);
  });

  it("exits with 130 immediately on SIGINT during the stop", async () => {
    const { exitCode, lines } = await run("two signals", { ready: "SIGTERM", stuck: "SIGINT" });
    expect(lines).not.toContain("stop one");
    expect(exitCode).toBe(130);
  });

  it("stops started steps and prints no stack when a start fails with StartupError", async () => {
    const { exitCode, lines, errors } = await run("start fails");
    expect(lines).toEqual(["start one", "start two", "stop two", "stop one"]);
    expect(errors).toBe("Port 3000 is taken.\n");
    expect(exitCode).toBe(1);
  });

  it("prints the stack when a start fails because of a bug", async () => {
    const { exitCode, errors } = await run("start has a bug");
    expect(errors).toMatch(/TypeError: undefined is not a function\n\s+at /);
    expect(exitCode).toBe(1);
  });

  it("prints every problem of the configuration without a stack, and exits with 78", async () => {
    const { exitCode, errors } = await run("configuration");
    expect(errors).toBe("The configuration has 1 problem:\n  - PORT: must be a number\n");
    expect(exitCode).toBe(78);
  });

  it("stops on SIGTERM during the start", async () => {
    const { exitCode, lines } = await run("slow start", { ready: "SIGTERM" });
    expect(lines).toEqual(["start one", "start two", "ready", "stop two", "stop one"]);
    expect(exitCode).toBe(0);
  });

  it("exits with 1 immediately on an unhandled rejection", async () => {
    const { exitCode, lines } = await run("rejection");
    expect(lines).toEqual(startedAll);
    expect(exitCode).toBe(1);
  });

  it("stops in order and exits with 1 when a part ended unexpectedly", async () => {
    const { exitCode, lines } = await run("part ended");
    expect(lines).toEqual([...startedAll, ...stoppedAll]);
    expect(exitCode).toBe(1);
  });
});
