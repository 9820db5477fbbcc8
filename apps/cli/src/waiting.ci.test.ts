import { existsSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConfiguredGateway } from "./connection.ts";
import { serviceTimeoutMs, startCliService } from "./test/cli-service.ts";
import {
  createCommandsUnderTest,
  type CommandsUnderTest,
  type EnvironmentVariables,
} from "./test/commands-under-test.ts";
import { canOpenTerminals, nodeOptionsWithTimeoutAt, reportsShellCommand } from "./test/run-reports.ts";

const interruptible = ["run", "PROXY", "--format", "csv", "-o", "interrupted.csv"];

// The tests stop this service's worker, so other test files cannot share the service. A worker that was stopped too long exits and is restarted.
let service: Awaited<ReturnType<typeof startCliService>>;
let commands: CommandsUnderTest;
let waiting = 0;
let stopped: Promise<unknown> | undefined;

describe.concurrent("a command that waits for a report", { timeout: serviceTimeoutMs }, () => {
  beforeAll(async () => {
    service = await startCliService({ supervised: {} });
    commands = createCommandsUnderTest(service);
  }, serviceTimeoutMs);
  afterAll(async () => {
    commands[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
  });

  test.skipIf(!canOpenTerminals())(
    "run exits with 5 after --timeout, and the printed command downloads the file",
    async () => {
      const environment = commands.newCaller();
      const NODE_OPTIONS = nodeOptionsWithTimeoutAt("PROXY as csv.");
      const run = ["run", "PROXY", "--format", "csv", "-o", "late it's.csv", "--timeout", "20s"];
      const { code, out, err } = await withoutWorker(
        async () => await commands.pipe(run, { ...environment, NODE_OPTIONS }).ended,
      );
      expect({ code, out }).toEqual({ code: 5, out: "" });
      const [, resumeWords] = /Continue with:\n {2}reports (.+)$/m.exec(err)!;
      expect(resumeWords).toMatch(/^download [0-9a-f-]{36} -o 'late it'\\''s\.csv'$/);
      const later = await commands.terminal(`${reportsShellCommand} ${resumeWords}`, environment).ended;
      expect(later.code).toBe(0);
      expect(existsSync(join(commands.folder, "late it's.csv"))).toBe(true);
    },
  );

  test.skipIf(!canOpenTerminals())(
    "add-file exits with 5 after --timeout, and the printed command saves the file",
    async () => {
      const environment = commands.newCaller();
      const { reports } = createConfiguredGateway(environment, fetch);
      const { id: report } = await reports.start({ reportType: "PROXY", format: "csv", keepRows: true });
      await reports.wait(report);
      const addFile = ["add-file", report, "--format", "ndjson", "-o", "late.ndjson"];
      const NODE_OPTIONS = nodeOptionsWithTimeoutAt("is being made");
      const { code, out, err } = await withoutWorker(
        async () => await commands.pipe([...addFile, "--timeout", "20s"], { ...environment, NODE_OPTIONS }).ended,
      );
      expect({ code, out }).toEqual({ code: 5, out: "" });
      const [, id, resumeWords] = /The file ([0-9a-f-]{36}) is still running\. Continue with:\n {2}reports (.+)$/m.exec(
        err,
      )!;
      const later = await commands.terminal(
        `${reportsShellCommand} ${resumeWords!.replace(" --timeout 20s", "")}`,
        environment,
      ).ended;
      expect(later.code).toBe(0);
      expect(later.out).toContain(`The file ${id} of the report`);
      expect(existsSync(join(commands.folder, "late.ndjson"))).toBe(true);
    },
  );

  test.skipIf(!canOpenTerminals())(
    "after Ctrl-C the report keeps running, and the printed command gets the file",
    async () => {
      const environment = commands.newCaller();
      const { id, ended } = await withoutWorker(async () => {
        const command = commands.terminal(`${reportsShellCommand} ${interruptible.join(" ")}`, environment);
        await command.prints("waiting");
        // The program gets this character as Ctrl-C.
        command.child.stdin!.write("\u0003");
        const result = await command.ended;
        const id = /Continue with:\r\n {2}reports download ([0-9a-f-]{36}) -o interrupted\.csv\r\n/.exec(
          result.out,
        )![1]!;
        expect(await statusOf(id, environment)).toBe("QUEUED");
        return { id, ended: result };
      });
      expect(ended.code).toBe(130);
      expect((await commands.pipe(["download", id, "-o", "interrupted.csv"], environment).ended).code).toBe(0);
    },
  );

  test("with --cancel-on-interrupt, SIGINT and SIGTERM cancel the report", async () => {
    for (const [signal, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      const environment = commands.newCaller();
      await withoutWorker(async () => {
        const command = commands.pipe([...interruptible, "--cancel-on-interrupt"], environment);
        await command.prints("PROXY as csv.");
        command.child.kill(signal);
        const result = await command.ended;
        expect(result).toMatchObject({ code, out: "", err: expect.stringContaining("It is cancelled.") });
        const id = /^Report ([0-9a-f-]{36})/.exec(result.err)![1]!;
        expect(await statusOf(id, environment)).toBe("CANCELLED");
      });
    }
  });
});

async function statusOf(id: string, environment: EnvironmentVariables): Promise<string> {
  return (await createConfiguredGateway(environment, fetch).reports.get(id)).status;
}

/** Calls `act` while the worker is stopped, so that reports wait. Concurrent tests can call this at the same time. */
async function withoutWorker<T>(act: () => Promise<T>): Promise<T> {
  const worker = service.stand.workers[0]!;
  waiting += 1;
  try {
    // While a worker that exited is being restarted, there is no process to stop.
    stopped ??= waitFor(() => worker.signal("SIGSTOP") !== null, { what: "a worker that can be stopped" });
    await stopped;
    return await act();
  } finally {
    waiting -= 1;
    if (waiting === 0) {
      stopped = undefined;
      worker.signal("SIGCONT");
    }
  }
}
