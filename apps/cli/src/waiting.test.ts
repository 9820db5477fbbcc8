import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConfiguredGateway } from "./connection.ts";
import { getSharedCliService, serviceTimeoutMs } from "./test/cli-service.ts";
import { createCommandsUnderTest, type CommandsUnderTest } from "./test/commands-under-test.ts";
import { nodeOptionsWithTimeoutAt } from "./test/run-reports.ts";

/** A report of this type always waits, because its view does not exist. */
const run = ["run", "LEDGER", "--format", "csv", "-o", "late it's.csv"];

let commands: CommandsUnderTest;

describe.concurrent("a command that waits for a report", { timeout: serviceTimeoutMs }, () => {
  beforeAll(async () => {
    commands = createCommandsUnderTest(await getSharedCliService());
  }, serviceTimeoutMs);
  afterAll(() => commands[Symbol.dispose]());

  test("after --timeout, run exits with 5, and the report waits on for the printed command", async () => {
    const environment = commands.newCaller();
    const NODE_OPTIONS = nodeOptionsWithTimeoutAt("LEDGER as csv.");
    const late = await commands.pipe([...run, "--timeout", "20s"], { ...environment, NODE_OPTIONS }).ended;
    expect(late).toMatchObject({ code: 5, out: "" });
    const [, id] = /Continue with:\n {2}reports download ([0-9a-f-]{36}) -o 'late it'\\''s\.csv'$/m.exec(late.err)!;
    expect((await createConfiguredGateway(environment, fetch).reports.get(id!)).status).toBe("QUEUED");
  });

  test.each([
    [[], "QUEUED", "Continue with:"],
    [["--cancel-on-interrupt"], "CANCELLED", "It is cancelled."],
  ])("after SIGINT, run with the flags %j leaves the report %s", async (flags, status, words) => {
    const environment = commands.newCaller();
    const command = commands.pipe([...run, ...flags], environment);
    await command.prints("LEDGER as csv.");
    command.child.kill("SIGINT");
    const { code, out, err } = await command.ended;
    expect({ code, out, err }).toEqual({ code: 130, out: "", err: expect.stringContaining(words) });
    const [report] = await Array.fromAsync(
      createConfiguredGateway(environment, fetch).reports.list({ requestedBy: "me" }),
    );
    expect(report).toMatchObject({ reportType: "LEDGER", status });
  });
});
