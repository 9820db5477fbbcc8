import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer as createReceiver } from "node:http";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { hashPassword } from "@reports/auth";
import { verifyWebhook } from "@reports/client";
import { createDatabase, createUserStore } from "@reports/db";
import { findFreePort, findProgram, machineHas, waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type RunningApi } from "../../commands/running-api.ts";
import { hasTerminals, reportsBin, reportsCommand, runInPipe, runOnTerminal, type ReportsRun } from "./run-reports.ts";

/** Before each drawing of the bar. */
const clearLine = "\r\u001b[2K";

let api: RunningApi;
let folder: string;
let callers = 0;
const runs: ReportsRun[] = [];
/** The port of webhooks that the deployment allows. */
let receiverPort: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "reports-cli-"));
  receiverPort = await findFreePort();
  api = await startApi({
    proxies: 60,
    domains: 2000,
    worker: true,
    environment: {
      // A csv of proxies is smaller, a json of domains larger.
      SPOOL_MAX_BYTES: "100000",
      READ_LIMIT_PER_MINUTE: "100",
      WEBHOOK_KEY: randomBytes(32).toString("base64"),
      WEBHOOK_ALLOW: `http://127.0.0.1:${receiverPort}`,
      PUBLIC_URL: "https://reports.example.com",
    },
  });
  await createUser("carol", []);
  await createUser("dave", ["REPORT_PROXY"]);
});

afterAll(async () => {
  // What a failed test has left would wait for its terminal for ever.
  for (const { child } of runs) child.kill("SIGKILL");
  await api[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function createUser(name: string, authorities: readonly string[]): Promise<void> {
  const database = createDatabase({ url: api.databaseUrl, max: 1, applicationName: "test" });
  try {
    await createUserStore(database).create({
      name,
      passwordHash: await hashPassword(`${name}'s password`),
      authorities,
    });
  } finally {
    await database.close();
  }
}

/** The environment of a caller of its own, because some limits count callers. */
function somebody(subject = `caller-${++callers}`): Record<string, string> {
  return { REPORTS_URL: api.url, REPORTS_TOKEN: api.tokenOf(subject) };
}

function pipe(args: readonly string[], environment = somebody()): ReportsRun {
  const run = runInPipe(args, { environment, folder });
  runs.push(run);
  return run;
}

function terminal(commandLine: string, environment = somebody()): ReportsRun {
  const run = runOnTerminal(commandLine, { environment, folder });
  runs.push(run);
  return run;
}

/** What stood on a terminal, without what was drawn over. */
function screen(out: string): string {
  const lines = out.replaceAll("\r\n", "\n").split("\n");
  return lines.map((line) => line.split(clearLine).at(-1)).join("\n");
}

async function statusOf(id: string, environment: Record<string, string>): Promise<string> {
  const { out } = await pipe(["status", id, "--json"], environment).ended;
  return (JSON.parse(out) as { status: string }).status;
}

/** Stops the worker while something is tried, so that reports wait. */
async function withoutWorker<T>(tried: () => Promise<T>): Promise<T> {
  process.kill(api.workerPid!, "SIGSTOP");
  try {
    return await tried();
  } finally {
    process.kill(api.workerPid!, "SIGCONT");
  }
}

const cannotTry = !hasTerminals();

describe("the command", () => {
  test("runs a report to a file in a pipe: its path is the data, its bytes are the record's, and no bar is drawn", async () => {
    writeFileSync(join(folder, "password"), "dave's password\n");
    const environment = { REPORTS_URL: api.url, REPORTS_USER: "dave", REPORTS_PASSWORD_FILE: join(folder, "password") };
    const run = pipe(
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
    const [header, ...lines] = readFileSync(join(folder, "up.csv"), "utf8").trim().split("\r\n");
    expect(header).toBe("name,health");
    expect(lines).toEqual(lines.toSorted().toReversed());
    expect(lines.every((line) => line.endsWith(",UP"))).toBe(true);
    expect(existsSync(join(folder, "up.csv.part"))).toBe(false);

    const listed = await pipe(["list", "--mine", "--json"], environment).ended;
    const [record] = listed.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { file: { sha256: string } });
    const bytes = readFileSync(join(folder, "up.csv"));
    expect(record!.file.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  test.skipIf(cannotTry)("on a terminal draws a bar, writes tables, and makes texts of the service safe", async () => {
    const environment = somebody();
    const title = "'Proxies \u202etxt.exe'";
    const { code, out } = await terminal(`${reportsCommand} run PROXY --format xlsx --title ${title}`, environment)
      .ended;
    expect(code).toBe(0);
    const [, drawn] = out.split(clearLine);
    expect(drawn).toMatch(/^\[[#.]{24}\] +[\d?]+ % {2}(?:waiting|querying|rendering|storing|done)/);
    expect(out).toMatch(/downloading {2}[\d.]+ kB of [\d.]+ kB/);
    const name = screen(out).trim().split("\n").at(-1)!;
    expect(name).toMatch(/^Proxies .*\.xlsx$/);
    expect(readdirSync(folder)).toContain(name);

    const list = await terminal(`${reportsCommand} list --mine`, environment).ended;
    const [heading, line] = screen(list.out).trim().split("\n");
    expect(heading).toMatch(/^ID +TYPE +STATUS +% +ROWS +FORMAT +CREATED +REQUESTED BY +TITLE$/);
    expect(line).toMatch(/^[0-9a-f-]{36} {2}PROXY {2}SUCCEEDED {2}100 +60 {2}xlsx .* {2}Proxies \\u\{202e\}txt/);
    expect(list.out).not.toContain("\u202e");
    const types = await terminal(`${reportsCommand} types PROXY`, environment).ended;
    expect(screen(types.out)).toMatch(/^FORMAT +ROWS AT MOST +COMPRESSION$[^]*^COLUMN +TITLE[^]*^FILTER +MEANING$/m);
  });

  test.skipIf(cannotTry)("writes bytes into a pipe and never onto a terminal, and then starts nothing", async () => {
    const environment = somebody();
    const refused = await terminal(`${reportsCommand} run PROXY --format csv -o -`, environment).ended;
    expect(refused.code).toBe(2);
    expect(refused.out).toContain("A file is never written to a terminal.");
    expect((await pipe(["list", "--mine"], environment).ended).out).toBe("");
    const written = await pipe(["run", "PROXY", "--format", "json", "--title", "Ünïcode", "-o", "-"], environment)
      .ended;
    expect(written.code).toBe(0);
    expect(JSON.parse(written.out)).toMatchObject({ report: { title: "Ünïcode" } });
  });

  test("shows the first rows of a report and what it would be: lines with tabs in a pipe, objects with --json", async () => {
    const environment = somebody();
    const where = ["--where", "environment=PROD", "--where", "environment=DEV"];
    const chosen = ["--columns", "name,tags,port", "--sort", "-name", "--limit", "3"];
    const lines = await pipe(["preview", "PROXY", ...chosen, ...where], environment).ended;
    expect(lines).toMatchObject({ code: 0, err: "" });
    expect(lines.out).toMatch(/^([a-z0-9-]+\t[^\t\n]*\t\d+\n){3}$/);
    const rows = await pipe(["preview", "PROXY", ...chosen, ...where, "--json"], environment).ended;
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
    const none = await pipe(["preview", "PROXY", "--where", "q=nobody is called so"], environment).ended;
    expect(none).toMatchObject({ code: 0, out: "", err: "There are no rows.\n" });
    expect(await pipe(["preview", "PROXY", "--limit", "101"], environment).ended).toMatchObject({ code: 2, out: "" });
    const estimate = await pipe(["estimate", "PROXY", "--json"], environment).ended;
    expect(
      estimate.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toContainEqual(expect.objectContaining({ format: "csv", rows: 60, rowsAre: "EXACT", fits: true }));
    const table = await pipe(["estimate", "PROXY"], environment).ended;
    expect(table.out).toMatch(/^pdf\t60\t[^\t]+\t[^\t]+\t100,000\tyes$/m);
  });

  test("has further files made of the rows that a report has kept, saves them, and lists them", async () => {
    const environment = somebody();
    const run = async (...words: string[]) => pipe(words, environment).ended;
    const report = (await run("start", "PROXY", "--format", "csv", "--keep-rows")).out.trim();
    expect((await run("watch", report)).code).toBe(0);
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
    const lines = readFileSync(join(folder, "further.ndjson"), "utf8").trim().split("\n");
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
    expect(readFileSync(join(folder, "again.ndjson"))).toEqual(readFileSync(join(folder, "further.ndjson")));
    expect(await run("download", report, "--file", report, "-o", "none")).toMatchObject({ code: 4, out: "" });

    const without = (await run("start", "PROXY", "--format", "csv")).out.trim();
    expect((await run("watch", without)).code).toBe(0);
    const refused = await run("add-file", without, "--format", "json", "-o", "refused.json");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(existsSync(join(folder, "refused.json"))).toBe(false);
  }, 180_000);

  test("makes, lists, pauses, runs and deletes schedules, and says what came of their times", async () => {
    const environment = somebody();
    const run = async (...words: string[]) => pipe(["schedules", ...words], environment).ended;
    const made = await run("create", "PROXY", "--name", "Yearly", "--cron", "0 0 1 1 *", "--format", "csv", "--json");
    expect(made).toMatchObject({ code: 0, err: "" });
    const { id } = JSON.parse(made.out) as { id: string };
    expect((await run("list")).out).toContain(`${id}\tYearly\tPROXY\t0 0 1 1 *\tUTC\tACTIVE\t`);
    expect((await run("pause", id)).out).toContain("\tPAUSED (REQUESTED)\t");
    expect((await run("run", id)).out).toMatch(/\tSTARTED\t\t[0-9a-f-]{36}$/m);
    expect((await run("fires", id)).out).toMatch(/\tSTARTED\t\t[0-9a-f-]{36}$/m);
    expect(await run("delete", id)).toMatchObject({ code: 0, out: "" });
  }, 180_000);

  test("makes, tries, pauses, rotates and deletes webhooks; what is sent is signed by the secrets that it printed", async () => {
    const requests: { readonly body: string; readonly headers: Record<string, string> }[] = [];
    const receiver = createReceiver((request, response) => {
      void text(request).then((body) => {
        requests.push({ body, headers: request.headers as Record<string, string> });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((listening) => receiver.listen(receiverPort, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${receiverPort}/hook`;
    const environment = somebody();
    const run = async (...words: string[]) => pipe(["webhooks", ...words], environment).ended;
    try {
      const made = await run("create", url, "--event", "report.succeeded", "--type", "PROXY");
      expect(made).toMatchObject({ code: 0, err: expect.stringContaining("Keep its secret") });
      const id = /webhook ([0-9a-f-]{36}) was created/.exec(made.err)![1]!;
      expect((await run("list", "--status", "ACTIVE")).out).toBe(`${id}\tACTIVE\tOWN\treport.succeeded\t${url}\n`);
      expect((await run("test", id)).err).toContain(`webhooks deliveries ${id}`);
      await waitFor(() => requests.length === 1, { what: "the test" });
      expect(await verifyWebhook(requests[0]!, { secret: made.out.trim() })).toMatchObject({ type: "webhook.test" });
      const eventId = requests[0]!.headers["webhook-id"]!;
      const sent = async () => (await run("deliveries", id, "--status", "DELIVERED")).out;
      expect(await waitFor(sent, { what: "the delivery" })).toContain(`${eventId}\twebhook.test\tDELIVERED\t1\t204\t`);
      expect(await run("pause", id)).toMatchObject({ code: 0, err: "The webhook is paused.\n" });
      expect((await run("redeliver", id, eventId)).err).toBe(`The event ${eventId} is queued.\n`);
      const rotated = await run("rotate", id);
      expect((await run("list", "--status", "PAUSED")).out).toContain(`${id}\tPAUSED (REQUESTED)\t`);
      expect((await run("resume", id)).code).toBe(0);
      await waitFor(() => requests.length === 2, { what: "the event again" });
      for (const { out } of [made, rotated])
        expect(await verifyWebhook(requests[1]!, { secret: out.trim() })).toMatchObject({ type: "webhook.test" });
      expect(await run("delete", id)).toMatchObject({ code: 0, out: "" });
      const codes = [
        run("test", id),
        run("create", "https://10.0.0.1/", "--event", "report.failed"),
        run("create", url),
      ];
      expect((await Promise.all(codes)).map(({ code }) => code)).toEqual([4, 2, 2]);
    } finally {
      receiver.closeAllConnections();
      receiver.close();
    }
  }, 180_000);

  test("starts, watches, downloads, cancels, lists and deletes by ids that stand alone on standard output", async () => {
    const environment = somebody();
    const start = await pipe(["start", "PROXY", "--format", "ndjson", "--idempotency-key", "mine"], environment).ended;
    expect(start.out).toMatch(/^[0-9a-f-]{36}\n$/);
    const id = start.out.trim();
    expect(
      (await pipe(["start", "PROXY", "--format", "ndjson", "--idempotency-key", "mine"], environment).ended).out,
    ).toBe(start.out);
    const watched = await pipe(["watch", id], environment).ended;
    expect(watched).toMatchObject({ code: 0, err: "" });
    expect(watched.out).toMatch(/^status\tSUCCEEDED$/m);
    const downloaded = await pipe(["download", id, "-o", ".", "--json"], environment).ended;
    const { file } = JSON.parse(downloaded.out) as { file: { fileName: string } };
    expect(readFileSync(join(folder, file.fileName), "utf8").split("\n")).toHaveLength(61);
    const link = await pipe(["link", id, "--expires", "1m"], environment).ended;
    expect(link).toMatchObject({ code: 0, err: expect.stringContaining("It ends") });
    // It begins with PUBLIC_URL, where nobody answers here.
    expect(link.out).toMatch(/^https:\/\/reports\.example\.com\/v1\/links\//);
    // The gateway's words are of its own field.
    expect(await pipe(["link", id, "--expires", "3h"], environment).ended).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(/^--expires: [^\n]* 15m at most\.\n$/),
    });
    const followed = await fetch(new URL(new URL(link.out.trim()).pathname, api.url));
    expect((await followed.text()).split("\n")).toHaveLength(61);
    const again = await pipe(["download", id], environment).ended;
    expect(again).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining(`There is a file ${file.fileName} already`),
    });
    expect(await pipe(["cancel", id], environment).ended).toMatchObject({ code: 1, out: "" });
    expect(await pipe(["delete", id], environment).ended).toMatchObject({ code: 0, out: "" });
    expect((await pipe(["list", "--mine"], environment).ended).out).toBe("");
  });
});

describe("exit codes", () => {
  test("each says what a script can do about it, with words on standard error and nothing on standard output", async () => {
    // Below the ports that the system gives away: nobody listens there meanwhile.
    const closed = { REPORTS_URL: "http://127.0.0.1:2", REPORTS_TOKEN: "none" };
    // Gives up after some seconds, so it begins first.
    const away = pipe(["types"], closed).ended;
    const busy = somebody("busy");
    const headers = { authorization: `Bearer ${busy["REPORTS_TOKEN"]}` };
    for (let request = 0; request < 100; request++) await fetch(`${api.url}/v1/report-types`, { headers });
    // At once: its minute passes.
    const refused = await pipe(["types"], busy).ended;
    const carol = { REPORTS_URL: api.url, REPORTS_USER: "carol", REPORTS_PASSWORD: "carol's password" };
    const unknown = "01970000-0000-7000-8000-000000000000";
    const mine = somebody();
    const deleted = (await pipe(["start", "PROXY", "--format", "csv"], mine).ended).out.trim();
    await pipe(["delete", deleted], mine).ended;

    const expected: readonly (readonly [number, string, Promise<{ code: number | null; out: string; err: string }>])[] =
      [
        [
          1,
          "has failed. SPOOL_LIMIT_EXCEEDED",
          pipe(["run", "PROXY_DOMAIN", "--format", "json", "-o", "no.json"]).ended,
        ],
        [2, "unknown command 'strat'", pipe(["strat"]).ended],
        [2, "See --help", pipe(["run"]).ended],
        [2, "It must be a duration such as", pipe(["watch", unknown, "--timeout", "soon"]).ended],
        [2, "REPORTS_URL is not set", pipe(["types"], {}).ended],
        [2, "--where helth: There is no filter", pipe(["run", "PROXY", "--where", "helth=UP"]).ended],
        [2, "Nothing can be written to no/such/folder", pipe(["run", "PROXY", "-o", "no/such/folder/file"]).ended],
        [2, "Check REPORTS_URL", pipe(["types"], { ...mine, REPORTS_URL: `${api.url}/v1` }).ended],
        [2, "Check REPORTS_URL", pipe(["types"], { ...carol, REPORTS_URL: `${api.url}/console` }).ended],
        [3, "Check REPORTS_USER", pipe(["types"], { ...carol, REPORTS_PASSWORD: "carol's first password" }).ended],
        [3, "REPORT_PROXY", pipe(["run", "PROXY"], carol).ended],
        [4, "There is no such report", pipe(["status", unknown]).ended],
        [4, "was deleted", pipe(["download", deleted], mine).ended],
        [6, "requests a minute", Promise.resolve(refused)],
        [7, "The service cannot be reached (ECONNREFUSED).", away],
      ];
    for (const [code, words, ended] of expected) {
      expect(await ended).toEqual({ code, out: "", err: expect.stringContaining(words) });
    }
    expect(readdirSync(folder)).not.toContain("no.json");
  });

  test.skipIf(cannotTry)("5: the time is over, the report goes on, and the printed command gets its file", async () => {
    const environment = somebody();
    const { code, out, err } = await withoutWorker(
      async () =>
        await pipe(["run", "PROXY", "--format", "csv", "-o", "late it's.csv", "--timeout", "5s"], environment).ended,
    );
    expect({ code, out }).toEqual({ code: 5, out: "" });
    const [, goOn] = /Come back to it: reports (.+)$/m.exec(err)!;
    expect(goOn).toMatch(/^download [0-9a-f-]{36} -o 'late it'\\''s\.csv'$/);
    const later = await terminal(`${reportsCommand} ${goOn}`, environment).ended;
    expect(later.code).toBe(0);
    expect(existsSync(join(folder, "late it's.csv"))).toBe(true);
  });

  test.skipIf(cannotTry)("5 of a further file as well, and the printed command gets it", async () => {
    const environment = somebody();
    const report = (await pipe(["start", "PROXY", "--format", "csv", "--keep-rows"], environment).ended).out.trim();
    expect((await pipe(["watch", report], environment).ended).code).toBe(0);
    const addFile = ["add-file", report, "--format", "ndjson", "-o", "late.ndjson"];
    const { code, out, err } = await withoutWorker(
      async () => await pipe([...addFile, "--timeout", "5s"], environment).ended,
    );
    expect({ code, out }).toEqual({ code: 5, out: "" });
    const [, id, goOn] = /The file ([0-9a-f-]{36}) goes on\. Come back to it: reports (.+)$/m.exec(err)!;
    const later = await terminal(`${reportsCommand} ${goOn!.replace(" --timeout 5s", "")}`, environment).ended;
    expect(later.code).toBe(0);
    expect(later.out).toContain(`The file ${id} of the report`);
    expect(existsSync(join(folder, "late.ndjson"))).toBe(true);
  });

  test("7: the time is over before the id is known, and what was asked for can be asked for again", async () => {
    await using service = await startSilentService();
    const { environment } = service;
    const key = ["--idempotency-key", "unsure", "--timeout", "1s"];
    const [report, file] = await Promise.all([
      pipe(["run", "PROXY", ...key], environment).ended,
      pipe(["add-file", "01970000-0000-7000-8000-000000000000", "--format", "csv", ...key], environment).ended,
    ]);
    expect(report).toMatchObject({ code: 7, out: "" });
    expect(report.err).toContain("Timed out before the report was started.");
    expect(report.err).toContain("The same command with --idempotency-key unsure gives that report, or starts it.");
    expect(file).toMatchObject({ code: 7, out: "" });
    expect(file.err).toContain("Timed out before the file was started.");
    expect(file.err).toContain("The same command with --idempotency-key unsure gives that file, or starts it.");
  });
});

describe("standard output that nobody reads", () => {
  test.each([
    ["--timeout", 5, ["--timeout", "2s"], null],
    ["SIGTERM", 143, [], "SIGTERM"],
  ] as const)("does not keep a download beyond %s", async (_, code, flags, signal) => {
    await using service = await startFileService();
    const { environment, report } = service;
    const command = pipe(["download", report, "-o", "-", ...flags], environment);
    command.child.stdout!.pause();
    if (signal !== null) {
      await waitFor(service.isHeldUp, { what: "the file to be held up", timeoutMs: 60_000 });
      command.child.kill(signal);
    }
    const exited = new Promise((resolve) => command.child.once("exit", resolve));
    expect(await exited).toBe(code);
    command.child.stdout!.resume();
    expect((await command.ended).err).toContain(`The report ${report} goes on. Come back to it:`);
  });
});

describe("Ctrl-C", () => {
  const run = ["run", "PROXY", "--format", "csv", "-o", "interrupted.csv"];

  test.skipIf(cannotTry)("leaves the report running and says how to go on; the report is found by that", async () => {
    const environment = somebody();
    const { id, ended } = await withoutWorker(async () => {
      // The key, as a terminal sends it.
      const command = terminal(`${reportsCommand} ${run.join(" ")}`, environment);
      await command.says("waiting");
      command.child.stdin!.write("\u0003");
      const result = await command.ended;
      const id = /Come back to it: reports download ([0-9a-f-]{36}) -o interrupted\.csv/.exec(result.out)![1]!;
      expect(await statusOf(id, environment)).toBe("QUEUED");
      return { id, ended: result };
    });
    expect(ended.code).toBe(130);
    expect((await pipe(["download", id, "-o", "interrupted.csv"], environment).ended).code).toBe(0);
  });

  test("cancels the report with --cancel-on-interrupt; SIGTERM does, too", async () => {
    for (const [signal, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      const environment = somebody();
      await withoutWorker(async () => {
        const command = pipe([...run, "--cancel-on-interrupt"], environment);
        await command.says("PROXY as csv.");
        command.child.kill(signal);
        const result = await command.ended;
        expect(result).toMatchObject({ code, out: "", err: expect.stringContaining("It is cancelled.") });
        const id = /^Report ([0-9a-f-]{36})/.exec(result.err)![1]!;
        expect(await statusOf(id, environment)).toBe("CANCELLED");
      });
    }
  });

  test("waits a moment for the id of a report that is being started, and says how to find it where none comes", async () => {
    await using service = await startSilentService();
    const command = pipe([...run, "--idempotency-key", "unsure"], service.environment);
    await service.asked;
    command.child.kill("SIGINT");
    const { code, out, err } = await command.ended;
    expect({ code, out }).toEqual({ code: 130, out: "" });
    expect(err).toContain("waiting for its id");
    expect(err).toContain("reports list --mine. The same command with --idempotency-key unsure");
  });

  test("ends the command at once the second time", async () => {
    await using service = await startSilentService();
    // By the command itself, as it says that it waits: it does so for a moment only, and one from here might come when that is over.
    const second = `const write = process.stderr.write.bind(process.stderr);
      process.stderr.write = (text, ...more) => {
        if (String(text).includes("waiting for its id")) process.kill(process.pid, "SIGINT");
        return write(text, ...more);
      };`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(second)}`;
    const command = pipe(run, { ...service.environment, NODE_OPTIONS });
    await service.asked;
    command.child.kill("SIGINT");
    const { code, err } = await command.ended;
    expect(code).toBe(130);
    expect(err).toContain("waiting for its id");
    expect(err).not.toContain("It is not known");
  });
});

/** An environment in whose shells the command is called `reports`. */
function installed(): Record<string, string> {
  const bin = mkdtempSync(join(folder, "bin-"));
  symlinkSync(reportsBin, join(bin, "reports"));
  return { ...somebody(), PATH: [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter) };
}

test.skipIf(cannotTry)("bash completes commands, types, filters, columns and their values", async () => {
  const shell = terminal("exec bash --norc --noprofile -i", installed());
  const type = (keys: string): void => void shell.child.stdin!.write(keys);
  type("source <(reports completion bash); echo ready $((20 + 3))\n");
  await shell.says("ready 23");
  for (const [typed, shown] of [
    ["reports sta\t\t", "start   status"],
    ["reports run PROXY_\t", "reports run PROXY_DOMAIN "],
    ["reports run PROXY --where hea\t", "reports run PROXY --where health="],
    ["reports run PROXY --where health=DEG\t", "reports run PROXY --where health=DEGRADED "],
    ["reports run PROXY --columns name,softwareV\t", "reports run PROXY --columns name,softwareVersion "],
  ] as const) {
    type(typed);
    await shell.says(shown);
    // Takes the line away.
    type("\u0015");
  }
  type("exit\n");
  expect((await shell.ended).code).toBe(0);
});

const hasFish = machineHas("fish (apt-get install fish)", findProgram("fish") !== null);
test.skipIf(cannotTry || !hasFish)("fish completes, too", async () => {
  const asked = 'complete -C "reports run PROXY --where health=D"; complete -C "reports sta"';
  const shell = terminal(`fish --no-config -c 'reports completion fish | source; ${asked}'`, installed());
  const { out } = await shell.ended;
  expect(out.split("\r\n").map((line) => line.split("\t")[0])).toEqual([
    "health=DEGRADED",
    "health=DOWN",
    "start",
    "status",
    "",
  ]);
});

/** A service that has one report, whose file is larger than what pipes and sockets hold. */
async function startFileService() {
  const [report, file] = ["01970000-0000-7000-8000-000000000001", "01970000-0000-7000-8000-000000000002"];
  const part = Buffer.alloc(2 ** 16, "reports\n");
  const parts = 1024;
  const size = parts * part.length;
  const record = {
    id: report,
    status: "SUCCEEDED",
    finishedAt: "2026-11-22T12:00:00Z",
    rowCount: null,
    warnings: [],
    error: null,
    progress: { phase: "done", rowsDone: 0, rowsTotal: 0, percent: 100 },
    file: { id: file, fileName: "file.csv", extension: "csv", contentType: "text/csv", size, sha256: "", columns: [] },
  };
  let sent = 0;
  function* take(): Generator<Buffer, void> {
    for (; sent < parts; sent++) yield part;
  }
  const server = createReceiver((request, response) => {
    if (request.url?.endsWith(file) === true)
      pipeline(Readable.from(take()), response.writeHead(200, { ETag: '"v1"', "Content-Type": "text/csv" })).catch(
        () => undefined,
      );
    else response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(record));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  let before = -1;
  return {
    report,
    environment: { REPORTS_URL: `http://127.0.0.1:${port}`, REPORTS_TOKEN: "any" },
    /** Whether some of the file is sent, and nothing more since this was asked last. */
    isHeldUp() {
      const isStill = sent === before;
      before = sent;
      return isStill && sent > 0 && sent < parts;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** A service that takes requests and never answers one. */
async function startSilentService() {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.once("data", () => resolve());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    environment: { REPORTS_URL: `http://127.0.0.1:${port}`, REPORTS_TOKEN: "any" },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
