import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isFullTestRun } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createConfiguredGateway } from "../connection.ts";
import { createTestUser } from "../test/create-test-user.ts";
import { getSharedCliService, serviceTimeoutMs, type CliService } from "../test/cli-service.ts";
import { createCommandsUnderTest, type CommandsUnderTest } from "../test/commands-under-test.ts";
import { canOpenTerminals, patientNodeOptions, reportsShellCommand } from "../test/run-reports.ts";

const clearLine = "\r\u001b[2K";

let service: CliService;
let commands: CommandsUnderTest;

describe.concurrent("commands of reports", { timeout: serviceTimeoutMs }, () => {
  beforeAll(async () => {
    service = await getSharedCliService();
    commands = createCommandsUnderTest(service);
  }, serviceTimeoutMs);
  afterAll(() => commands[Symbol.dispose]());

  test("in a pipe, `run` saves the file, prints its path and draws no progress bar", async () => {
    const passwordFile = join(commands.folder, "password");
    const dave = await createTestUser(service, "dave", ["REPORT_PROXY"]);
    writeFileSync(passwordFile, `${dave.REPORTS_PASSWORD}\n`);
    const environment = {
      REPORTS_URL: service.url,
      REPORTS_USER: dave.REPORTS_USER,
      REPORTS_PASSWORD_FILE: passwordFile,
    };
    const run = commands.pipe(
      [
        "run",
        "PROXY",
        "--format",
        "csv",
        "--where",
        "health=UP",
        "--columns",
        "name,health",
        "--sort",
        "-name",
        "--no-csv-bom",
        "-o",
        "up.csv",
      ],
      environment,
    );
    const { code, out, err } = await run.ended;
    expect({ code, out }).toEqual({ code: 0, out: "up.csv\n" });
    expect(err).toMatch(
      /^Report [0-9a-f-]{36}: PROXY as csv\.\nSaved: \d+ rows, [\d.]+ k?B; its SHA-256 is that of the record\.\n$/,
    );
    const [header, ...lines] = readFileSync(join(commands.folder, "up.csv"), "utf8").trim().split("\r\n");
    expect(header).toBe("name,health");
    expect(lines).toEqual(lines.toSorted().toReversed());
    expect(lines.every((line) => line.endsWith(",UP"))).toBe(true);
    expect(existsSync(join(commands.folder, "up.csv.part"))).toBe(false);

    const listed = await commands.pipe(["list", "--mine", "--json"], environment).ended;
    const [record] = listed.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { file: { sha256: string } });
    const bytes = readFileSync(join(commands.folder, "up.csv"));
    expect(record!.file.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    const found = await commands.pipe(["list", "--mine", "--title", "PROX", "--json"], environment).ended;
    expect(found.out).toBe(listed.out);
    const refused = await commands.pipe(["list", "--title", "ab"], environment).ended;
    expect(refused.err).toContain("--title: q must be text of 3 to 120 characters");
  });

  test.skipIf(!canOpenTerminals())(
    "on a terminal, commands draw a progress bar and tables, and escape texts",
    async () => {
      const environment = commands.newCaller();
      const title = "'Proxies \u202etxt.exe'";
      const { code, out } = await commands.terminal(
        `${reportsShellCommand} run PROXY --format xlsx --title ${title}`,
        environment,
      ).ended;
      expect(code).toBe(0);
      const [, drawn] = out.split(clearLine);
      expect(drawn).toMatch(/^\[[#.]{24}\] +[\d?]+ % {2}(?:waiting|querying|rendering|storing|done)/);
      expect(out).toMatch(/downloading {2}[\d.]+ kB of [\d.]+ kB/);
      const name = screen(out).trim().split("\n").at(-1)!;
      expect(name).toMatch(/^Proxies .*\.xlsx$/);
      expect(readdirSync(commands.folder)).toContain(name);

      const list = await commands.terminal(`${reportsShellCommand} list --mine`, environment).ended;
      const [heading, line] = screen(list.out).trim().split("\n");
      expect(heading).toMatch(/^ID +TYPE +STATUS +% +ROWS +FORMAT +CREATED +REQUESTED BY +TITLE$/);
      expect(line).toMatch(/^[0-9a-f-]{36} {2}PROXY {2}SUCCEEDED {2}100 +60 {2}xlsx .* {2}Proxies \\u\{202e\}txt/);
      expect(list.out).not.toContain("\u202e");
    },
  );

  // In every run, format-table.test.ts tests the tables, and previews.test.ts prints one on a terminal.
  test.runIf(isFullTestRun && canOpenTerminals())("on a narrow terminal, tables have fewer columns", async () => {
    const environment = commands.newCaller();
    const words = ["--title", "Proxies \u202etxt.exe", "-o", "narrow.xlsx"];
    await commands.pipe(["run", "PROXY", "--format", "xlsx", ...words], environment).ended;
    const narrow = screen((await commands.terminal(`${reportsShellCommand} list --mine`, environment, 80).ended).out);
    expect(narrow).toMatch(/^ID +TYPE +STATUS +ROWS +FORMAT +CREATED +TITLE$/m);
    expect(narrow).toMatch(/^[0-9a-f]{8} {2}PROXY {2}SUCCEEDED +60 {2}xlsx +(?:now|\d+ (?:s|min) ago) +\S/m);
    const types = await commands.terminal(`${reportsShellCommand} types PROXY`, environment).ended;
    expect(screen(types.out)).toMatch(/^health +UNKNOWN +Unknown +No probe has reported/m);
    expect(screen(types.out).match(/RFC 3339|thisMonth-P1M/g)).toEqual(["thisMonth-P1M"]);
    const piped = (await commands.pipe(["types", "PROXY"], environment).ended).out;
    expect(piped).toMatch(/^COLUMN\tCODE\tTITLE\tMEANING\n[^]*^FILTER\tMEANING\nq\t/m);
    expect(screen(types.out)).toMatch(/^FORMAT +ROWS AT MOST +COMPRESSION$[^]*^COLUMN +TITLE[^]*^FILTER +MEANING$/m);
  });

  test.skipIf(!canOpenTerminals())(
    "-o - writes the file to a pipe; on a terminal it is refused before the start",
    async () => {
      const environment = commands.newCaller();
      const refused = await commands.terminal(`${reportsShellCommand} run PROXY --format csv -o -`, environment).ended;
      expect(refused.code).toBe(2);
      expect(refused.out).toContain("A file is never written to a terminal.");
      const { reports } = createConfiguredGateway(environment, fetch);
      expect(await Array.fromAsync(reports.list({ requestedBy: "me" }))).toEqual([]);
      const written = await commands.pipe(
        ["run", "PROXY", "--format", "json", "--title", "Ünïcode", "-o", "-"],
        environment,
      ).ended;
      expect(written.code).toBe(0);
      expect(JSON.parse(written.out)).toMatchObject({ report: { title: "Ünïcode" } });
    },
  );

  test("`add-file` saves an additional format of a report, and `files` lists both", async () => {
    const environment = commands.newCaller();
    const run = async (...words: string[]) => commands.pipe(words, environment).ended;
    const { reports } = createConfiguredGateway(environment, fetch);
    const report = (await run("start", "PROXY", "--format", "csv", "--keep-rows")).out.trim();
    const { id: without } = await reports.start({ reportType: "PROXY", format: "csv" });
    for (const id of [report, without]) await reports.wait(id);
    const added = await run(
      "add-file",
      report,
      "--format",
      "ndjson",
      "--columns",
      "name,health",
      "-o",
      "further.ndjson",
    );
    expect(added).toMatchObject({ code: 0, out: "further.ndjson\n" });
    const lines = readFileSync(join(commands.folder, "further.ndjson"), "utf8").trim().split("\n");
    expect(lines).toHaveLength(60);
    expect(Object.keys(JSON.parse(lines[0]!) as object)).toEqual(["name", "health"]);
    const listed = await run("files", report);
    expect(listed).toMatchObject({ code: 0, err: "" });
    const rows = listed.out.trim().split("\n");
    expect(rows.map((line) => line.split("\t").slice(1, 3))).toEqual([
      ["SUCCEEDED", "csv"],
      ["SUCCEEDED", "ndjson"],
    ]);
    expect(added.err).toContain(`The file ${rows[1]!.split("\t")[0]} of the report ${report} is being made.\n`);

    const further = rows[1]!.split("\t")[0]!;
    expect(await run("download", report, "--file", further, "-o", "again.ndjson")).toMatchObject({
      code: 0,
      out: "again.ndjson\n",
    });
    expect(readFileSync(join(commands.folder, "again.ndjson"))).toEqual(
      readFileSync(join(commands.folder, "further.ndjson")),
    );
    expect(await run("download", report, "--file", report, "-o", "none")).toMatchObject({ code: 4, out: "" });

    const refused = await run("add-file", without, "--format", "json", "-o", "refused.json");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(existsSync(join(commands.folder, "refused.json"))).toBe(false);
  });

  test("`start` prints only the report's ID, which the other commands accept", async () => {
    const environment = commands.newCaller();
    const start = await commands.pipe(
      ["start", "PROXY", "--format", "ndjson", "--idempotency-key", "mine"],
      environment,
    ).ended;
    expect(start.out).toMatch(/^[0-9a-f-]{36}\n$/);
    const id = start.out.trim();
    expect(
      (await commands.pipe(["start", "PROXY", "--format", "ndjson", "--idempotency-key", "mine"], environment).ended)
        .out,
    ).toBe(start.out);
    for (const name of ["@last", id.slice(-8)])
      expect((await commands.pipe(["status", name], environment).ended).out).toContain(`id\t${id}\n`);
    const watched = await commands.pipe(["watch", id], environment).ended;
    expect(watched).toMatchObject({ code: 0, err: "" });
    expect(watched.out).toMatch(/^status\tSUCCEEDED$/m);
    const downloaded = await commands.pipe(["download", id, "-o", ".", "--json"], environment).ended;
    const { file } = JSON.parse(downloaded.out) as { file: { fileName: string } };
    expect(readFileSync(join(commands.folder, file.fileName), "utf8").split("\n")).toHaveLength(61);
    const link = await commands.pipe(["link", id, "--expires", "1m"], environment).ended;
    expect(link).toMatchObject({ code: 0, err: expect.stringContaining("It ends") });
    // The link begins with the service's PUBLIC_URL, not with the address that the test uses.
    expect(link.out).toMatch(/^https:\/\/reports\.example\.com\/v1\/links\//);
    const followed = await fetch(new URL(new URL(link.out.trim()).pathname, service.url));
    expect((await followed.text()).split("\n")).toHaveLength(61);
    expect(await commands.pipe(["delete", id], environment).ended).toMatchObject({ code: 0, out: "" });
    expect((await commands.pipe(["list", "--mine"], environment).ended).out).toBe("");
  });

  // In every run, create-expiring-link.test.ts, download-target.test.ts and describe-error.test.ts test these refusals.
  test.runIf(isFullTestRun)(
    "`link`, `download` and `cancel` refuse what the report or its file does not allow",
    async () => {
      const environment = commands.newCaller();
      const { reports } = createConfiguredGateway(environment, fetch);
      const { id } = await reports.start({ reportType: "PROXY", format: "ndjson", title: "Refusals" });
      const { file } = await reports.wait(id);
      await commands.pipe(["download", id], environment).ended;
      // The gateway's message names a field of the API, which the command replaces by its flag.
      expect(await commands.pipe(["link", id, "--expires", "3h"], environment).ended).toMatchObject({
        code: 2,
        out: "",
        err: expect.stringMatching(/^--expires: [^\n]* 15m at most\.\n$/),
      });
      const again = await commands.pipe(["download", id], environment).ended;
      expect(again).toMatchObject({
        code: 2,
        out: "",
        err: expect.stringContaining(`There is a file ${file!.fileName} already`),
      });
      expect(await commands.pipe(["cancel", id], environment).ended).toMatchObject({ code: 1, out: "" });
    },
  );

  test("`status` shows why a requeued report waits, and no progress of a cancelled one", async () => {
    const environment = commands.newCaller();
    const run = async (...words: string[]) => commands.pipe(words, environment).ended;
    const { reports } = createConfiguredGateway(environment, fetch);
    const { id } = await reports.start({ reportType: "LEDGER", format: "csv" });
    for await (const news of reports.events(id)) {
      if (news.kind === "status" && news.event.because === "TYPE_UNUSABLE") break;
    }
    // By default, commands print no cause that they have not read within three seconds.
    const patient = { ...environment, NODE_OPTIONS: patientNodeOptions };
    expect((await commands.pipe(["status", id], patient).ended).out).toContain(
      "waits because\tthe data source of its report type does not fit",
    );
    const events = await run("events", id);
    expect(events).toMatchObject({ code: 0, err: "" });
    const table = events.out.trim().split("\n");
    expect(table.map((line) => line.split("\t").slice(1, 5))).toEqual([
      ["", "QUEUED", "0", ""],
      ["QUEUED", "QUEUED", "0", "TYPE_UNUSABLE"],
    ]);
    const watch = commands.pipe(["watch", id], patient);
    await watch.prints("The report waits, because the data source of its report type does not fit");
    expect(await run("cancel", id)).toMatchObject({ code: 0 });
    expect(await watch.ended).toMatchObject({
      code: 1,
      err: expect.stringMatching(/six hours\.\n[^\n]*was cancelled\.\n$/),
    });
    expect((await run("status", id)).out).not.toMatch(/^progress|^waits because/m);
  });

  // In every run, `list` and `download` print JSON with --json.
  test.runIf(isFullTestRun)("`events` and `status` print JSON with --json", async () => {
    const environment = commands.newCaller();
    const run = async (...words: string[]) => commands.pipe(words, environment).ended;
    const { reports } = createConfiguredGateway(environment, fetch);
    const { id } = await reports.start({ reportType: "LEDGER", format: "csv" });
    for await (const news of reports.events(id)) {
      if (news.kind === "status" && news.event.because === "TYPE_UNUSABLE") break;
    }
    const json = await run("events", id, "--json");
    expect(JSON.parse(json.out.trim().split("\n")[1]!)).toMatchObject({ reportId: id, because: "TYPE_UNUSABLE" });
    await reports.cancel(id);
    expect(JSON.parse((await run("status", id, "--json")).out)).toMatchObject({ id, status: "CANCELLED" });
    expect((await run("events", id)).out).toMatch(/\tQUEUED\tCANCELLED\t0\t\t/);
  });
});

function screen(out: string): string {
  const lines = out.replaceAll("\r\n", "\n").split("\n");
  return lines.map((line) => line.split(clearLine).at(-1)).join("\n");
}
