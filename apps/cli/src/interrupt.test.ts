import { waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCommands, type CommandsUnderTest } from "./test/commands-under-test.ts";
import { startFileService } from "./test/file-service.ts";
import { startSilentService } from "./test/silent-service.ts";

const run = ["run", "PROXY", "--format", "csv", "-o", "interrupted.csv"];

let commands: CommandsUnderTest;

describe.concurrent("a command that is interrupted", () => {
  beforeAll(() => {
    commands = createCommands({ url: "http://127.0.0.1:2", jwtSecret: "unused" });
  });
  afterAll(() => commands[Symbol.dispose]());

  test.each([
    ["--timeout", 5, ["--timeout", "2s"], null],
    ["SIGTERM", 143, [], "SIGTERM"],
  ] as const)("standard output that nobody reads keeps no download beyond %s", async (_, code, flags, signal) => {
    await using service = await startFileService();
    const { environment, report } = service;
    const command = commands.pipe(["download", report, "-o", "-", ...flags], environment);
    command.child.stdout!.pause();
    if (signal !== null) {
      await waitFor(service.isBlocked, { what: "the file to be held up", timeoutMs: 60_000 });
      command.child.kill(signal);
    }
    const exited = new Promise((resolve) => command.child.once("exit", resolve));
    expect(await exited).toBe(code);
    command.child.stdout!.resume();
    expect((await command.ended).err).toContain(`The report ${report} is still running. Continue with:`);
  });

  test("SIGINT waits briefly for the ID of a starting report and says how to find it", async () => {
    await using service = await startSilentService();
    const command = commands.pipe([...run, "--idempotency-key", "unsure"], service.environment);
    await service.asked;
    command.child.kill("SIGINT");
    const { code, out, err } = await command.ended;
    expect({ code, out }).toEqual({ code: 130, out: "" });
    expect(err).toContain("waiting for its id");
    expect(err).toContain("reports list --mine. The same command with --idempotency-key unsure");
  });

  test("a second SIGINT ends the command immediately", async () => {
    await using service = await startSilentService();
    // The command sends it to itself when it says that it waits. From here, it could come after that wait.
    const second = `const write = process.stderr.write.bind(process.stderr);
      process.stderr.write = (text, ...more) => {
        if (String(text).includes("waiting for its id")) process.kill(process.pid, "SIGINT");
        return write(text, ...more);
      };`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(second)}`;
    const command = commands.pipe(run, { ...service.environment, NODE_OPTIONS });
    await service.asked;
    command.child.kill("SIGINT");
    const { code, err } = await command.ended;
    expect(code).toBe(130);
    expect(err).toContain("waiting for its id");
    expect(err).not.toContain("It is not known");
  });
});
