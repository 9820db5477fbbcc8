import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createTestCaseDivider, readSourceStartVariables } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const bin = join(import.meta.dirname, "../../bin/reports.js");
/** Writes to this device fail as on a full disk. */
const full = "/dev/full";

/** The test's gateway returns the same long record for each request, and lists of only this record. */
const text = "x".repeat(1_000);
const record = {
  id: "r",
  reportType: "PROXY",
  authority: "REPORT_PROXY",
  type: "PROXY",
  title: text,
  description: text,
  name: text,
  status: "SUCCEEDED",
  format: "csv",
  formats: [],
  filters: [],
  columns: [],
  progress: { phase: "DONE", rowsDone: 1, rowsTotal: 1, percent: 100 },
  rowCount: 1,
  requestedBy: "a",
  createdAt: "2026-01-01T00:00:00.000Z",
  finishedAt: "2026-01-01T00:00:00.000Z",
  searchParam: {},
  warnings: [],
  error: null,
  secret: "whsec_c2VjcmV0",
  url: "https://a.example/",
  events: [],
  file: { id: "f", fileName: "f.csv", extension: "csv", contentType: "text/csv", size: 7, sha256: "" },
};
const server = createServer(({ method, url = "" }, response) => {
  if (url.endsWith("/files/f"))
    return response.writeHead(200, { "Content-Type": "text/csv", ETag: '"1"' }).end("a,b\n1,2");
  const isList = /^\/v1\/(?:reports|report-types|webhooks)(?:\?|$)/.test(url) && method === "GET";
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(isList ? [record] : record));
});
beforeAll(async () => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(async () => {
  server.closeAllConnections();
  await once(server.close(), "close");
});

function environment() {
  const { port } = server.address() as AddressInfo;
  const { PATH } = process.env;
  return { PATH, ...readSourceStartVariables(), REPORTS_URL: `http://127.0.0.1:${port}`, REPORTS_TOKEN: "t" };
}

async function run(args: readonly string[], stdio: StdioOptions) {
  return collect(spawn(process.execPath, [bin, ...args], { stdio, env: environment() }));
}

async function collect(child: ChildProcess) {
  const [out, err]: Buffer[][] = [[], []];
  child.stdout?.on("data", (chunk: Buffer) => out!.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err!.push(chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out: Buffer.concat(out!).toString(), err: Buffer.concat(err!).toString() };
}

async function runInto(path: string, args: readonly string[], which: "stdout" | "stderr" = "stdout") {
  const fd = openSync(path, "w");
  try {
    return await run(args, which === "stdout" ? ["ignore", fd, "pipe"] : ["ignore", "pipe", fd]);
  } finally {
    closeSync(fd);
  }
}

const commands: readonly (readonly string[])[] = [
  ["--help"],
  ["--version"],
  ["help", "run"],
  ["run", "--help"],
  ["completion", "bash"],
  ["types"],
  ["types", "PROXY"],
  ["list"],
  ["list", "--json"],
  ["start", "PROXY"],
  ["status", "r"],
  ["status", "r", "--json"],
  ["webhooks", "create", "https://a.example/", "--event", "report.succeeded"],
];

// Outside of CI, a quarter each. All commands write by the same functions.
const forNextOutput = createTestCaseDivider();

describe.skipIf(!existsSync(full))("full disk", () => {
  test.each(forNextOutput(commands, 4).map((args) => [args.join(" "), args] as const))(
    "`%s` with its output to a full disk prints the error and exits with 1",
    async (_, args) => {
      const { code, err } = await runInto(full, args);
      expect(err).toContain("Standard output cannot be written: ENOSPC");
      expect(code).toBe(1);
    },
  );

  test("download -o - on a full disk prints the error and exits with 1", async () => {
    const { code, err } = await runInto(full, ["download", "r", "-o", "-"]);
    expect(err).toContain("The file is not saved: ENOSPC");
    expect(code).toBe(1);
  });

  test("a command with an unwritable stderr writes its data and keeps its exit code", async () => {
    const listed = await runInto(full, ["list", "--json"], "stderr");
    expect({ ...listed, out: JSON.parse(listed.out) as unknown }).toMatchObject({ code: 0, out: { id: "r" } });
    expect(await runInto(full, ["start", "PROXY"], "stderr")).toMatchObject({ code: 0, out: "r\n" });
    expect(await runInto(full, ["no-such-command"], "stderr")).toMatchObject({ code: 2, out: "" });
  });
});

describe("closed pipe", () => {
  /** Runs the command with a standard output or standard error whose reader has already ended. */
  async function runUnread(args: readonly string[], descriptor: 1 | 2) {
    const line = `exec 3> >(:); wait $!; exec "$@" ${descriptor}>&3`;
    return collect(spawn("bash", ["-c", line, "bash", process.execPath, bin, ...args], { env: environment() }));
  }

  test.each(forNextOutput(commands, 4).map((args) => [args.join(" "), args] as const))(
    "`%s` with its output to a closed pipe exits with 0 and prints no error",
    async (_, args) => {
      const { code, err } = await runUnread(args, 1);
      // Standard error is not empty, because `start` still prints the report's ID there.
      expect(err).not.toMatch(/EPIPE|cannot be written|Error/);
      expect(code).toBe(0);
    },
  );

  test("download -o - into a closed pipe exits with 1, because the file is incomplete", async () => {
    const { code, err } = await runUnread(["download", "r", "-o", "-"], 1);
    expect(err).toContain("The file is not saved: Standard output was closed before the file's end");
    expect(code).toBe(1);
  });

  test("a command whose stderr is a closed pipe keeps its exit code", async () => {
    expect(await runUnread(["start", "PROXY"], 2)).toMatchObject({ code: 0, out: "r\n" });
    expect(await runUnread(["no-such-command"], 2)).toMatchObject({ code: 2, out: "" });
  });
});

test("a download into a folder without write permission prints why it is not saved", async () => {
  const { code, err } = await run(["download", "r", "-o", "/proc/f.csv"], ["ignore", "pipe", "pipe"]);
  expect(err).toMatch(/The file is not saved: E|Nothing can be written to/);
  expect([1, 2]).toContain(code);
});
