import { waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCommandsUnderTest, type CommandsUnderTest } from "./test/commands-under-test.ts";
import { startLargeFileStub } from "./test/file-service.ts";
import { nodeOptionsWithModule } from "./test/run-reports.ts";
import { startSilentGatewayStub } from "./test/silent-service.ts";

const run = ["run", "PROXY", "--format", "csv", "-o", "interrupted.csv"];

let commands: CommandsUnderTest;

describe.concurrent("interrupts", () => {
  beforeAll(() => {
    commands = createCommandsUnderTest({ url: "http://127.0.0.1:2", jwtSecret: "unused" });
  });
  afterAll(() => commands[Symbol.dispose]());

  test.each([
    ["--timeout", 5, ["--timeout", "2s"], null],
    ["SIGTERM", 143, [], "SIGTERM"],
  ] as const)("%s ends a download although the reader of standard output is stuck", async (_, code, flags, signal) => {
    await using service = await startLargeFileStub();
    const { environment, report } = service;
    const command = commands.pipe(["download", report, "-o", "-", ...flags], environment);
    command.child.stdout!.pause();
    if (signal !== null) {
      await waitFor(service.isBlocked, { what: "the download to be blocked", timeoutMs: 60_000 });
      command.child.kill(signal);
    }
    const exited = new Promise((resolve) => command.child.once("exit", resolve));
    expect(await exited).toBe(code);
    command.child.stdout!.resume();
    expect((await command.ended).err).toContain(`The report ${report} is still running. Continue with:`);
  });

  test("after SIGINT, run waits briefly for the report's ID and prints how to find it", async () => {
    await using service = await startSilentGatewayStub();
    const command = commands.pipe([...run, "--idempotency-key", "unsure"], service.environment);
    await service.requested;
    command.child.kill("SIGINT");
    const { code, out, err } = await command.ended;
    expect({ code, out }).toEqual({ code: 130, out: "" });
    expect(err).toContain("waiting for its id");
    expect(err).toContain(
      "  reports list --mine\nThe same command with this flag gives that report, or starts it:\n  --idempotency-key unsure\n",
    );
  });

  test("a second SIGINT ends a command immediately", async () => {
    await using service = await startSilentGatewayStub();
    // The command sends the second SIGINT to itself when it prints that it waits. A SIGINT from the test could arrive too late. The command waits 30
    // times as long as usual, because a busy machine can deliver even this SIGINT late.
    const second = `const later = globalThis.setTimeout;
      globalThis.setTimeout = (act, ms, ...more) => later(act, 30 * ms, ...more);
      const write = process.stderr.write.bind(process.stderr);
      process.stderr.write = (text, ...more) => {
        if (String(text).includes("waiting for its id")) process.kill(process.pid, "SIGINT");
        return write(text, ...more);
      };`;
    const NODE_OPTIONS = nodeOptionsWithModule(second);
    const command = commands.pipe(run, { ...service.environment, NODE_OPTIONS });
    await service.requested;
    command.child.kill("SIGINT");
    const { code, err } = await command.ended;
    expect(code).toBe(130);
    expect(err).toContain("waiting for its id");
    expect(err).not.toContain("It is not known");
  });
});
