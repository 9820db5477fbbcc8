import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createTestCaseDivider, isFullTestRun, mountSmallDisk, waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConfiguredGateway } from "./connection.ts";
import { createTestUser } from "./test/create-test-user.ts";
import { getSharedCliService, serviceTimeoutMs, type CliService } from "./test/cli-service.ts";
import {
  createCommandsUnderTest,
  type CommandsUnderTest,
  type EnvironmentVariables,
} from "./test/commands-under-test.ts";
import { fastNodeOptions, nodeOptionsWithTimeoutAt, type CommandRun } from "./test/run-reports.ts";
import { startSilentGatewayStub } from "./test/silent-service.ts";

let service: CliService;
let commands: CommandsUnderTest;

describe.concurrent("exit codes", { timeout: serviceTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedCliService();
    commands = createCommandsUnderTest(service);
  }, serviceTimeoutMs);
  afterAll(() => commands[Symbol.dispose]());

  test("each kind of failure has an exit code and a message, and an empty stdout", async () => {
    // The system never assigns a port below 1024 by itself, so that nothing listens there.
    const closed = { REPORTS_URL: "http://127.0.0.1:2", REPORTS_TOKEN: "none", NODE_OPTIONS: fastNodeOptions };
    // This command starts before the others and runs next to them, because by its clock it gives up only after 15 s.
    const unavailable = commands.pipe(["types"], closed).ended;
    const busy = commands.newCaller();
    const headers = { authorization: `Bearer ${busy["REPORTS_TOKEN"]}` };
    await Promise.all(Array.from({ length: 100 }, async () => fetch(`${service.url}/v1/report-types`, { headers })));
    // A busy service can refuse some of these requests before it counts them, so the test sends more until the limit per minute is reached.
    const isLimited = async () => (await fetch(`${service.url}/v1/report-types`, { headers })).status === 429;
    await waitFor(isLimited, { what: "the limit to be reached" });
    const refused = await commands.pipe(["types"], busy).ended;
    const carol = { REPORTS_URL: service.url, ...(await createTestUser(service, "carol", [])) };
    const unknown = "01970000-0000-7000-8000-000000000000";
    const mine = commands.newCaller();
    const { reports } = createConfiguredGateway(mine, fetch);
    const { id: deleted } = await reports.start({ reportType: "PROXY", format: "csv" });
    await reports.remove(deleted);

    type Ended = CommandRun["ended"];
    // Outside of CI, each code has one command. describe-error.test.ts, describe-usage-error.test.ts, start-input.test.ts and
    // unwritable-output.test.ts test the other failures.
    const onlyInCi = (...all: readonly (readonly [number, string, () => Ended])[]) => (isFullTestRun ? all : []);
    const run = (words: readonly string[], environment?: EnvironmentVariables) => () =>
      commands.pipe(words, environment).ended;
    const expected: readonly (readonly [number, string, () => Ended])[] = [
      [1, "has failed. SPOOL_LIMIT_EXCEEDED", run(["run", "PROXY_DOMAIN", "--format", "json", "-o", "no.json"])],
      [2, "--where helth: There is no filter", run(["run", "PROXY", "--where", "helth=UP"])],
      [3, "Check REPORTS_USER", run(["types"], { ...carol, REPORTS_PASSWORD: "another password" })],
      [4, "was deleted", run(["download", deleted], mine)],
      [6, "requests per minute", async () => refused],
      [7, "The service cannot be reached (ECONNREFUSED).", async () => unavailable],
      ...onlyInCi(
        [2, "unknown command 'strat'", run(["strat"])],
        [2, "See: reports run --help", run(["run"])],
        [2, "It must be a duration such as", run(["watch", unknown, "--timeout", "soon"])],
        [2, "REPORTS_URL is not set", run(["types"], {})],
        [2, "Nothing can be written to no/such/folder", run(["run", "PROXY", "-o", "no/such/folder/file"])],
        [2, "Check REPORTS_URL", run(["types"], { ...mine, REPORTS_URL: `${service.url}/v1` })],
        [2, "Check REPORTS_URL", run(["types"], { ...carol, REPORTS_URL: `${service.url}/console` })],
        [3, "REPORT_PROXY", run(["run", "PROXY"], carol)],
        [4, "There is no such report", run(["status", unknown])],
      ),
    ];
    const ends = expected.map(async ([code, words, start]) => ({ code, words, ended: await start() }));
    for (const { code, words, ended } of await Promise.all(ends)) {
      expect(ended).toEqual({ code, out: "", err: expect.stringContaining(words) });
    }
    expect(readdirSync(commands.folder)).not.toContain("no.json");
  });

  test("a timeout before the ID is known exits with 7 and says how to repeat the command", async () => {
    await using service = await startSilentGatewayStub();
    const { environment } = service;
    const key = ["--idempotency-key", "unsure", "--timeout", "1s"];
    const [report, file] = await Promise.all([
      commands.pipe(["run", "PROXY", ...key], environment).ended,
      commands.pipe(["add-file", "01970000-0000-7000-8000-000000000000", "--format", "csv", ...key], environment).ended,
    ]);
    expect(report).toMatchObject({ code: 7, out: "" });
    expect(report.err).toContain("Timed out before the report was started.");
    expect(report.err).toContain("this flag gives that report, or starts it:\n  --idempotency-key unsure\n");
    expect(file).toMatchObject({ code: 7, out: "" });
    expect(file.err).toContain("Timed out before the file was started.");
    expect(file.err).toContain("this flag gives that file, or starts it:\n  --idempotency-key unsure\n");
  });

  // Outside of CI, each of these two tests always has the same single case. describe-usage-error.test.ts tests unknown commands without such words,
  // and format-help.test.ts reads every help.
  const forNextTest = createTestCaseDivider();
  const unknownCommands: readonly (readonly [words: readonly string[], message: string])[] = [
    [["strat", "--help"], "unknown command 'strat'\n(Did you mean start?)"],
    [["strat", "--version"], "unknown command 'strat'"],
    [["help", "strat"], "unknown command 'strat'"],
    [["webhooks", "lst", "-h"], "unknown command 'lst'\n(Did you mean list?)\nSee: reports webhooks --help\n"],
    [["webhooks", "help", "lst"], "unknown command 'lst'"],
  ];
  test.each(forNextTest(unknownCommands, unknownCommands.length))(
    "an unknown command exits with 2 despite --help, --version or help: %j",
    async (words, message) => {
      expect(await commands.pipe(words).ended).toEqual({ code: 2, out: "", err: expect.stringContaining(message) });
    },
  );

  test.each(forNextTest([["help"], ["webhooks", "help"], ["schedules", "help"]], 3))(
    "the command `%s %s` prints the help",
    async (...words) => {
      expect(await commands.pipe(words).ended).toMatchObject({
        code: 0,
        out: expect.stringContaining("Usage: reports"),
      });
    },
  );

  test("a start that a limit refuses says how long it waits; Ctrl-C cancels the start", async () => {
    // The limit refuses starts for only a minute, so each case has its own caller.
    const startOnce = async () => {
      const environment = commands.newCaller(["REPORT_PROXY", "LIMITED_STARTS"]);
      const { reports } = createConfiguredGateway(environment, fetch);
      await reports.start({ reportType: "PROXY", format: "csv" });
      return { environment, reports };
    };
    const run = ["run", "PROXY", "--format", "csv", "-o", "limited.csv"];
    const words = /^Limit of 1 report starts per minute reached\. Starting in \d+ s; press Ctrl-C to stop\.$/m;
    const lateCaller = await startOnce();
    const NODE_OPTIONS = nodeOptionsWithTimeoutAt("Starting in");
    const late = await commands.pipe([...run, "--timeout", "20s"], { ...lateCaller.environment, NODE_OPTIONS }).ended;
    expect(late).toMatchObject({ code: 6, out: "", err: expect.stringMatching(words) });
    expect(late.err).toContain("The report was not started.");
    const interruptedCaller = await startOnce();
    const waiting = commands.pipe(run, interruptedCaller.environment);
    await waiting.prints("Starting in");
    waiting.child.kill("SIGINT");
    expect(await waiting.ended).toMatchObject({
      code: 130,
      err: expect.stringContaining("The report was not started."),
    });
    for (const { reports } of [lateCaller, interruptedCaller])
      expect(await Array.fromAsync(reports.list({ requestedBy: "me" }))).toHaveLength(1);
  });

  test("`run` removes its incomplete file if the disk is full, and prints why", async () => {
    const environment = commands.newCaller();
    const run = async (...words: string[]) => commands.pipe(words, environment).ended;
    const disk = mountSmallDisk(4_096);
    if (disk === null) return;
    try {
      const saved = await run("run", "PROXY", "--format", "csv", "-o", join(disk.path, "a.csv"));
      expect(saved).toMatchObject({ code: 1, out: "", err: expect.stringContaining("The file is not saved: ENOSPC") });
      expect(readdirSync(disk.path)).toEqual([]);
    } finally {
      disk.unmount();
    }
  });
});
