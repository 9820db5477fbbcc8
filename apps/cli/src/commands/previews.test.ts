import { isFullTestRun } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConfiguredGateway } from "../connection.ts";
import { getSharedCliService, serviceTimeoutMs, type CliService } from "../test/cli-service.ts";
import { createCommandsUnderTest, type CommandsUnderTest } from "../test/commands-under-test.ts";
import { canOpenTerminals, reportsShellCommand } from "../test/run-reports.ts";

let service: CliService;
let commands: CommandsUnderTest;

describe.concurrent("the commands preview, estimate and types", { timeout: serviceTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedCliService();
    commands = createCommandsUnderTest(service);
  }, serviceTimeoutMs);
  afterAll(() => commands[Symbol.dispose]());

  test("in a pipe, preview prints tab-separated lines, and estimate JSON with --json", async () => {
    const environment = commands.newCaller();
    const where = ["--where", "environment=PROD", "--where", "environment=DEV"];
    const chosen = ["--columns", "name,tags,port", "--sort", "-name", "--limit", "3"];
    const lines = await commands.pipe(["preview", "PROXY", ...chosen, ...where], environment).ended;
    expect(lines).toMatchObject({ code: 0, err: "" });
    expect(lines.out).toMatch(/^([a-z0-9-]+\t[^\t\n]*\t\d+\n){3}$/);
    const estimate = await commands.pipe(["estimate", "PROXY", "--json"], environment).ended;
    expect(
      estimate.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toContainEqual(expect.objectContaining({ format: "csv", rows: 60, rowsAre: "EXACT", fits: true }));
    expect(estimate.err).toBe("");
  });

  // In every run, list --json prints JSON, format-table.test.ts lines, and describe-error.test.ts names wrong limits.
  test.runIf(isFullTestRun)(
    "in a pipe, preview prints JSON with --json, and estimate tab-separated lines",
    async () => {
      const environment = commands.newCaller();
      const chosen = ["--columns", "name,tags,port", "--sort", "-name", "--limit", "3"];
      const where = ["--where", "environment=PROD", "--where", "environment=DEV"];
      const lines = await commands.pipe(["preview", "PROXY", ...chosen, ...where], environment).ended;
      const rows = await commands.pipe(["preview", "PROXY", ...chosen, ...where, "--json"], environment).ended;
      const named = rows.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { name: string; tags: string[] });
      expect(named.map(({ name }) => name)).toEqual(
        lines.out
          .trim()
          .split("\n")
          .map((line) => line.split("\t")[0]),
      );
      expect(named[0]!.tags).toBeInstanceOf(Array);
      const none = await commands.pipe(["preview", "PROXY", "--where", "q=nobody is called so"], environment).ended;
      expect(none).toMatchObject({ code: 0, out: "", err: "There are no rows.\n" });
      expect(await commands.pipe(["preview", "PROXY", "--limit", "101"], environment).ended).toMatchObject({
        code: 2,
        out: "",
      });
      const table = await commands.pipe(["estimate", "PROXY"], environment).ended;
      // The reason for which the size and the time of the report are unknown.
      expect(table.err).toContain("fewer than ten reports");
      expect(table.out).toMatch(/^pdf\t60\t[^\t]+\t[^\t]+\t100,000\tyes$/m);
    },
  );

  test("preview exits with 7 if the view is missing, with 2 if the type has no preview", async () => {
    const environment = commands.newCaller();
    const run = async (...words: string[]) => commands.pipe(words, environment).ended;
    const err = expect.stringContaining("does not fit it now");
    expect(await run("preview", "LEDGER")).toEqual({ code: 7, out: "", err });
    expect(await run("preview", "OBJECTS")).toMatchObject({ code: 2, out: "" });
  });

  // In every run, time-filters.test.ts and parse-instant-flag.test.ts read times in words.
  test.runIf(isFullTestRun)("estimate prints the same for a time in words as for the API's relative time", async () => {
    const environment = commands.newCaller();
    const estimate = async (...where: string[]) =>
      commands.pipe(["estimate", "PROXY_DOMAIN", ...where.flatMap((one) => ["--where", one])], environment).ended;
    const [words, grammar, wrong] = await Promise.all([
      estimate("certNotAfter=within 30 days"),
      estimate("certNotAfterFrom=now", "certNotAfterTo=now+P30D"),
      estimate("certNotAfterTo=01/02/2026"),
    ]);
    expect(words).toMatchObject({ code: 0, out: grammar.out });
    expect(words.err).toContain("certNotAfterTo=now+P30D: in 30 days\n");
    expect(wrong).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^--where certNotAfterTo: .*\n$/) });
  });

  test.skipIf(!canOpenTerminals()).each(isFullTestRun ? [80, 120] : [80])(
    "on a terminal of %d columns, tables fit and show the ends of IDs",
    async (columns) => {
      const environment = commands.newCaller();
      const { reports } = createConfiguredGateway(environment, fetch);
      const { id } = await reports.start({ reportType: "PROXY", format: "csv" });
      await reports.wait(id);
      const name = "Certificates that expire soon, for the edge team";
      const lines = [
        `schedules create PROXY_DOMAIN --name '${name}' --cron '0 6 * * 1-5'`,
        "list",
        "types PROXY_DOMAIN",
        "preview PROXY_DOMAIN --limit 2",
        // In every run, format-table.test.ts tests the widths of tables.
        ...(isFullTestRun ? [`status ${id}`, `files ${id}`] : []),
      ];
      const texts: string[] = [];
      for (const line of lines) {
        const { code, out } = await commands.terminal(`${reportsShellCommand} ${line}`, environment, columns).ended;
        expect({ code, out }).toMatchObject({ code: 0 });
        texts.push(out.replaceAll("\r\n", "\n"));
      }
      // A line of the report type's description may be longer than the terminal is wide.
      const all = texts.flatMap((text) => text.split("\n")).filter((line) => !line.endsWith("per domain."));
      expect(all.filter((line) => [...line].length > columns)).toEqual([]);
      const [schedule, list, type, preview] = texts.map((text) => text.replaceAll(/\s+/g, " "));
      expect(schedule).toContain("Certificates ");
      expect(list).toContain(`${id.slice(-8)} PROXY SUCCEEDED`);
      expect(type).toContain("Each must be one of EXPIRED, CRITICAL, WARN, OK.");
      expect(texts[3]).toMatch(/^-\[ 1 \]-+\nhostname {10}\S/);
      expect(preview).toContain("--columns chooses some.");
    },
  );
});
