import { isFullTestRun } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { editRecord } from "./edit-record.ts";
import { getSharedCliService, serviceTimeoutMs, type CliService } from "../test/cli-service.ts";
import { createConfiguredGateway } from "../connection.ts";
import { createCommandsUnderTest, type CommandsUnderTest } from "../test/commands-under-test.ts";

let service: CliService;
let commands: CommandsUnderTest;

describe.concurrent("commands of schedules", { timeout: serviceTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedCliService();
    commands = createCommandsUnderTest(service);
  }, serviceTimeoutMs);
  afterAll(() => commands[Symbol.dispose]());

  test("the schedules commands create, list, run, edit, pause and delete a schedule", async () => {
    const environment = commands.newCaller();
    const run = async (...words: string[]) => commands.pipe(words, environment).ended;
    const wrong = await run("schedules", "create", "PROXY", "--name", "x", "--cron", "0 6 * *", "--zone", "+02:00");
    expect(wrong).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^ {2}--zone: [^]*^ {2}--cron: /m) });
    const times = ["--starts-at", "2030-01-01T00:00:00Z", "--ends-at", "2031-01-01T00:00:00Z", "--missed-within", "1d"];
    const cron = ["--cron", "0 6 * * 1-5", "--zone", "Europe/Amsterdam"];
    const { schedules } = createConfiguredGateway(environment, fetch);
    await schedules.create({ reportType: "PROXY", name: "Older", cron: "0 6 * * *" });
    const made = await run("schedules", "create", "PROXY", "--name", "Weekdays", ...cron, ...times, "--format", "csv");
    const next =
      /^Next times, in Europe\/Amsterdam:\n {2}Tue 2030-01-01 06:00 \+01:00\n( {2}\w{3} 2030-01-0\d 06:00 \+01:00\n){4}$/;
    expect(made).toMatchObject({ code: 0, err: expect.stringMatching(next) });
    const id = made.out.split("\t")[0]!;
    const line = `${id}\tWeekdays\tPROXY\t0 6 * * 1-5\tEurope/Amsterdam\t`;
    expect(await run("schedules", "list", "--limit", "1")).toMatchObject({
      out: expect.stringContaining(`${line}ACTIVE\t`),
      err: "These are the newest 1; --limit all lists all.\n",
    });
    expect((await run("schedules", "get", id)).err).toBe(made.err);
    const { out, err } = await run("schedules", "get", id, "--json");
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchObject({
      startsAt: "2030-01-01T00:00:00.000Z",
      endsAt: "2031-01-01T00:00:00.000Z",
      missedWithinSeconds: 86_400,
    });
    expect((await run("schedules", "run", id)).out).toMatch(/\tSTARTED\t\t[0-9a-f-]{36}$/m);
    const flags = ["--cron", "0 7 * * 1-5", "--format", "xlsx", "--where", "health=DOWN", "--reset", "missed-within"];
    expect(await run("schedules", "edit", id.slice(-8), ...flags)).toMatchObject({
      code: 0,
      err: expect.stringMatching(
        /^--where: none → health=DOWN\noptions: format=csv → format=xlsx\n--cron: 0 6 \* \* 1-5 → 0 7 \* \* 1-5\n--missed-within: 86400 → 3600\nNext times/,
      ),
    });
    expect((await run("schedules", "pause", id)).out).toContain("\tPAUSED (REQUESTED)\t");
    expect(await run("schedules", "delete", id)).toEqual({
      code: 0,
      out: "",
      err: "The schedule is deleted; its reports stay.\n",
    });
  });

  // In every run, reports.test.ts uses idempotency keys, newest.test.ts lists records, and edit-record.test.ts edits them.
  test.runIf(isFullTestRun)("the schedules commands run a schedule twice, list its runs and reset fields", async () => {
    const environment = commands.newCaller();
    const run = async (...words: string[]) => commands.pipe(words, environment).ended;
    const cron = ["--cron", "0 7 * * 1-5"];
    const words = ["--format", "xlsx", "--where", "health=DOWN", "--json"];
    const made = await run("schedules", "create", "PROXY", "--name", "Weekdays", ...cron, ...words);
    const { id } = JSON.parse(made.out) as { id: string };
    const fires = [];
    for (const key of ["one", "one", "two"]) fires.push(await run("schedules", "run", id, "--idempotency-key", key));
    for (const { code, out } of fires)
      expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/\tSTARTED\t\t[0-9a-f-]{36}$/m) });
    expect(new Set(fires.map((fire) => fire.out)).size).toBe(2);
    expect(await run("schedules", "fires", id, "--limit", "1")).toMatchObject({
      out: fires[2]!.out,
      err: "These are the newest 1; --limit all lists all.\n",
    });
    expect((await run("schedules", "fires", id, "--limit", "all")).err).toBe("");
    expect((await run("schedules", "edit", id, "--cron", "x", "--where", "helth=UP")).err).toMatch(
      /--where helth: [^]*--cron: /,
    );
    expect((await run("schedules", "edit", id, "--reset", "where", "--reset", "format")).err).toMatch(
      /^--where: health=DOWN → none\noptions: format=xlsx → none\n/,
    );
    const other = await run("schedules", "create", "PROXY", "--name", "Weekdays, too", ...cron, "--json");
    expect(JSON.parse(other.out)).toMatchObject({ name: "Weekdays, too" });
    expect((await run("schedules", "list", "--limit", "1")).err).toContain("--limit all");
  });

  test("`schedules edit` fails if someone else has changed the schedule meanwhile", async () => {
    const { schedules } = createConfiguredGateway(commands.newCaller(), fetch);
    const input = { reportType: "PROXY", name: "Shared", cron: "0 6 * * *" };
    const { id } = (await schedules.create(input)).record;
    const said: string[] = [];
    const edit = async (meanwhile: () => Promise<unknown>) =>
      editRecord(
        { name: "reports", output: { say: (line) => said.push(line) } },
        {
          what: "schedule",
          showWords: `schedules get ${id}`,
          read: async () => schedules.get(id),
          patch: async (_, how) => {
            await meanwhile();
            return (await schedules.patch(id, { cron: "0 7 * * *" }, how)).record;
          },
        },
        { cron: "--cron" },
      );
    await expect(edit(async () => schedules.patch(id, { name: "Other" }))).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^Someone else [^]*repeat the command:\n {2}reports schedules get [0-9a-f-]{36}$/),
    });
    expect((await schedules.get(id)).record).toMatchObject({ name: "Other", cron: "0 6 * * *" });
    await edit(async () => undefined);
    expect(said).toEqual(["--cron: 0 6 * * * → 0 7 * * *"]);
  });
});
