import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestCaseDivider } from "../divide-cases.ts";
import { isProcessAlive } from "../process-alive.ts";
import { findFreePort } from "../postgres/free-port.ts";
import { waitFor } from "../wait-for.ts";
import { createUnstartedProcess, runProcessToEnd, startProcess } from "./start-process.ts";
import type { StandProcessOptions } from "./stand-process.ts";

function script(text: string, options: Partial<StandProcessOptions> = {}): StandProcessOptions {
  return { name: "script", args: ["--input-type=module", "--eval", text], environment: {}, ...options };
}

const stays = "setInterval(() => undefined, 1000); console.log('it stays');";
const serves = `
  import { createServer } from "node:http";
  createServer((_, response) => response.end("ok")).listen(Number(process.env.PORT), "127.0.0.1");`;

test("a process gets only the given environment variables and PATH", async () => {
  const { end, stdout } = await runProcessToEnd(
    script("console.log(JSON.stringify(process.env))", { environment: { GIVEN: "yes", LEFT_OUT: undefined } }),
  );
  expect(end).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ GIVEN: "yes", PATH: process.env["PATH"] });
});

test("a process keeps only the end of a log that exceeds maxLogLength", async () => {
  const text = "for (let line = 0; line < 1000; line++) console.log('line', line);";
  const { log, stdout } = await runProcessToEnd(script(text, { maxLogLength: 1_000 }));
  for (const logged of [log, stdout]) {
    expect(logged.length).toBeLessThanOrEqual(1_000);
    expect(logged.endsWith("line 998\nline 999\n")).toBe(true);
  }
});

test("waiting for a process that ends during its start rejects with its last log lines", async () => {
  const origin = `http://127.0.0.1:${await findFreePort()}`;
  const failing = startProcess(script("console.error('no database'); process.exit(78)", { origin }));
  await expect(failing.ready()).rejects.toThrow(/script ended \(78\)[^]*no database/);
  await expect(failing.waitForLog("never")).rejects.toThrow("no database");
});

test("on Linux, a process is not ready while another process answers at its address", async () => {
  const other = createServer((_, response) => response.end("ok")).listen(0, "127.0.0.1");
  await once(other, "listening");
  const origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  await using impostor = startProcess(script(stays, { origin }));
  await impostor.waitForLog("it stays");
  expect((await fetch(`${origin}/health/ready`)).ok).toBe(true);
  expect(await impostor.isReady()).toBe(process.platform !== "linux");
  other.close();
});

test("restart stops the process and starts it with additional environment variables", async () => {
  const port = await findFreePort();
  const environment = { PORT: String(port) };
  const origin = `http://127.0.0.1:${port}`;
  const text = `${serves} console.log("extra:", process.env.EXTRA);`;
  await using served = startProcess(script(text, { environment, origin }));
  await served.ready();
  await served.restart({ EXTRA: "second" });
  expect(served.pids).toHaveLength(2);
  await expect.poll(async () => served.isReady()).toBe(true);
  await served.waitForLog("extra: second");
});

test("stop resolves with the exit code, or with null if SIGTERM has no effect", async () => {
  const polite = startProcess(script(`process.once("SIGTERM", () => process.exit(7)); ${stays}`));
  await polite.waitForLog("it stays");
  expect(await polite.stop()).toBe(7);
  expect(polite.pid).toBeNull();
  const stubborn = startProcess(script(`process.on("SIGTERM", () => console.log("no")); ${stays}`));
  await stubborn.waitForLog("it stays");
  expect(await stubborn.stop(200)).toBeNull();
  expect(await stubborn.ended).toBe("SIGKILL");
});

test("a supervised process restarts after an unexpected end, but not after a stop", async () => {
  const supervised = { firstDelayMs: 10, retriesStart: true };
  const restarted = startProcess(script(stays, { supervised }));
  await restarted.waitForLog("it stays");
  process.kill(restarted.pid!, "SIGABRT");
  await waitFor(() => restarted.pids.length === 2 && restarted.pid !== null, { what: "the second process" });
  expect(restarted.unexpectedEnds).toEqual(["SIGABRT"]);
  restarted.signal("SIGKILL");
  await waitFor(() => restarted.pids.length === 3 && restarted.pid !== null, { what: "the third process" });
  expect(restarted.unexpectedEnds).toEqual(["SIGABRT"]);
  await restarted.stop();
  expect(restarted.pid).toBeNull();
});

test("the pause before a restart doubles with each crash, up to longestDelayMs", async () => {
  const pauses: (number | null)[] = [];
  const crashing = startProcess(
    script("process.exit(3)", {
      supervised: { firstDelayMs: 10, longestDelayMs: 30, retriesStart: true },
      onEnd: (how, restartMs) => pauses.push(how === 3 ? restartMs : -1),
    }),
  );
  await waitFor(() => pauses.length >= 4, { what: "four crashes" });
  await crashing.kill();
  expect(pauses.slice(0, 4)).toEqual([10, 20, 30, 30]);
});

test("a supervised process that ends before it was ever ready does not restart", async () => {
  const origin = `http://127.0.0.1:${await findFreePort()}`;
  const failing = startProcess(script("process.exit(78)", { origin, supervised: {} }));
  await expect(failing.ready()).rejects.toThrow("script ended (78)");
  expect(await failing.ended).toBe(78);
  expect(failing.pids).toHaveLength(1);
});

const slowToStop = `process.on("SIGTERM", () => { console.log("SIGTERM"); setTimeout(() => process.exit(0), 300); }); ${stays}`;

test("a stop overrides concurrent restarts, and the process gets one SIGTERM", async () => {
  const lines: string[] = [];
  const stopped = startProcess(script(slowToStop, { onLine: (line) => lines.push(line) }));
  await stopped.waitForLog("it stays");
  await Promise.all([stopped.restart(), stopped.restart(), stopped.stop()]);
  expect(lines).toEqual(["it stays", "SIGTERM"]);
  expect(stopped.pid).toBeNull();
  expect(isProcessAlive(stopped.pids[0]!)).toBe(false);
});

test("concurrent restarts start only one new process", async () => {
  const lines: string[] = [];
  const restarted = startProcess(script(slowToStop, { onLine: (line) => lines.push(line) }));
  await restarted.waitForLog("it stays");
  await Promise.all([restarted.restart(), restarted.restart()]);
  await waitFor(() => lines.filter((line) => line === "it stays").length > 1, { what: "the new process" });
  await restarted.stop();
  expect(lines).toEqual(["it stays", "SIGTERM", "it stays", "SIGTERM"]);
});

test("a declared process does not run before its start method is called", async () => {
  await using declared = createUnstartedProcess(script(stays));
  expect(declared.pid).toBeNull();
  declared.start();
  await declared.waitForLog("it stays");
});

const parentEnds = [
  ["throws", "setTimeout(() => { throw new Error('a section failed'); })", 1],
  ["exits", "process.exit(7)", 7],
  ["gets SIGTERM", "process.kill(process.pid, 'SIGTERM')", 143],
] as const;
// Outside of CI, only the first case is tested, because each starts two processes.
test.each(createTestCaseDivider()(parentEnds, 3))("a process is killed when its parent %s", async (_, ending, end) => {
  const module = join(import.meta.dirname, "start-process.ts");
  const child = JSON.stringify(script(stays));
  const parent = await runProcessToEnd(
    script(`
      import { startProcess } from ${JSON.stringify(module)};
      const started = startProcess(${child});
      await started.waitForLog("it stays");
      console.log(started.pid);
      ${ending};`),
  );
  expect(parent.end).toBe(end);
  const pid = Number(parent.stdout);
  expect(pid).toBeGreaterThan(0);
  await waitFor(() => !isProcessAlive(pid), { what: "the process to be killed" });
});
