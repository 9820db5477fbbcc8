import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";

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
    "a process starts its steps in order, and on %s stops them in reverse with code 0",
    async (signal) => {
      const { exitCode, lines } = await run("plain", { ready: signal });
      expect(lines).toEqual([...startedAll, ...stoppedAll]);
      expect(exitCode).toBe(0);
    },
  );

  it("a process aborts the stop of a step that hangs, and exits with 1", async () => {
    const { exitCode, lines } = await run("stuck", { ready: "SIGTERM" });
    expect(lines).toEqual([...startedAll, "stop three", "stop two", "stuck", "two was told to hurry", "stop one"]);
    expect(exitCode).toBe(1);
  });

  it("when the stop of a step fails, a process stops the others and exits with 1", async () => {
    const { exitCode, lines } = await run("stop fails", { ready: "SIGTERM" });
    expect(lines).toEqual([...startedAll, ...stoppedAll]);
    expect(exitCode).toBe(1);
  });

  it("a process ignores a second SIGTERM during its stop, and exits with 0", async () => {
    const { exitCode, lines } = await run("told twice", { ready: "SIGTERM", "waits for the second": "SIGTERM" });
    expect(lines).toEqual([...startedAll, "stop three", "stop two", "waits for the second", "stop one"]);
    expect(exitCode).toBe(0);
  });

  it("a process exits with 130 immediately on SIGINT during its stop", async () => {
    const { exitCode, lines } = await run("two signals", { ready: "SIGTERM", stuck: "SIGINT" });
    expect(lines).not.toContain("stop one");
    expect(exitCode).toBe(130);
  });

  it("if a start fails with StartupError, started steps stop and no stack is printed", async () => {
    const { exitCode, lines, errors } = await run("start fails");
    expect(lines).toEqual(["start one", "start two", "stop two", "stop one"]);
    expect(errors).toBe("Port 3000 is taken.\n");
    expect(exitCode).toBe(1);
  });

  it("if a start fails because of a bug, the stack is printed", async () => {
    const { exitCode, errors } = await run("start has a bug");
    expect(errors).toMatch(/TypeError: undefined is not a function\n\s+at /);
    expect(exitCode).toBe(1);
  });

  it("a process prints all problems of its configuration and exits with 78", async () => {
    const { exitCode, errors } = await run("configuration");
    expect(errors).toBe("The configuration has 1 problem:\n  - PORT: must be a number\n");
    expect(exitCode).toBe(78);
  });

  it("a SIGTERM during the start of a process stops the steps that have started", async () => {
    const { exitCode, lines } = await run("slow start", { ready: "SIGTERM" });
    expect(lines).toEqual(["start one", "start two", "ready", "stop two", "stop one"]);
    expect(exitCode).toBe(0);
  });

  it("a process exits with 1 immediately on an unhandled rejection", async () => {
    const { exitCode, lines } = await run("rejection");
    expect(lines).toEqual(startedAll);
    expect(exitCode).toBe(1);
  });

  it("a process stops in order and exits with 1 when a part of it ends unexpectedly", async () => {
    const { exitCode, lines } = await run("part ended");
    expect(lines).toEqual([...startedAll, ...stoppedAll]);
    expect(exitCode).toBe(1);
  });
});
