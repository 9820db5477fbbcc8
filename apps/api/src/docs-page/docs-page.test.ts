import { problemCatalogue } from "@reports/core/wire";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { hasCurl, waitFor } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
let text: string;
let policy: string;
beforeAll(async () => {
  api = await startApiUnderTest();
  const answer = await api.anonymous().get("/docs").expect(200);
  text = answer.text;
  policy = answer.headers["content-security-policy"]!;
});
afterAll(async () => api[Symbol.asyncDispose]());

test("/docs shows every report type, with filter examples that a start accepts", async () => {
  const alice = await api.as(builtInReportAuthorities);
  for (const { type, formats, columns, filters } of api.catalogue.list()) {
    const section = text.split(`id="type-${type}"`)[1]!.split("</section>")[0]!;
    const names = [api.authorities.of(type)!, ...Object.keys(formats), ...columns.map(({ key }) => key)];
    for (const name of names) expect(section).toContain(`<code>${name}</code>`);
    for (const { name } of filters) {
      const example = new RegExp(`<code>${name}</code></th>\\s*<td>[^<]*</td>\\s*<td><code>([^<]+)</code>`).exec(
        section,
      )?.[1];
      expect({ name, example }).toEqual({ name, example: expect.any(String) as string });
      await alice
        .get("/v1/report")
        .query({ reportType: type, [`searchParam[${name}]`]: example })
        .expect(202);
    }
  }
});

test("/docs shows every endpoint and every problem code", () => {
  for (const { operationId, path } of api.endpoints) {
    expect(text).toContain(`<details id="${operationId}"`);
    expect(text).toContain(`<code>${path}</code>`);
  }
  for (const code of Object.keys(problemCatalogue)) expect(text).toContain(`href="/problems/${code}"`);
});

test("/docs has landmarks, ordered headings, unique IDs and working internal links", () => {
  for (const landmark of ["<header>", "<nav ", "<main "]) expect(text.split(landmark)).toHaveLength(2);
  const levels = [...text.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  for (const [, target] of text.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
});

test("/docs loads no other file, runs no script, and has at most 64 KiB with gzip", () => {
  expect(text).not.toMatch(/<script|<link|<img|style="| on\w+="|@import|url\(/);
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);
  expect(policy).not.toContain("unsafe");
  expect(gzipSync(text).length).toBeLessThan(64 * 1024);
});

test.concurrent(
  "the commands of /docs sign in with password or token, and save a report's file",
  { skip: !hasCurl() },
  async () => {
    const { stdout, file } = await pasteCommands("reader", (commands) => commands, succeedStarted);
    expect(stdout.match(/"reportType":"PROXY"/g)!.length).toBeGreaterThan(2);
    expect(stdout).toContain(`"status":"SUCCEEDED"`);
    expect(stdout).not.toContain(`"code":`);
    expect(file).toBe("name\nedge\n");
  },
);

test.concurrent("the download command of /docs saves the file of a slow report too", { skip: !hasCurl() }, async () => {
  const { file } = await pasteCommands(
    "patient-reader",
    (commands) => commands.replaceAll("wait=30", "wait=1"),
    async (name, folder) => {
      await waitFor(async () => (await readdir(folder)).length > 0, { what: "the first response to the download" });
      await succeedStarted(name);
    },
  );
  expect(file).toBe("name\nedge\n");
});

test.concurrent(
  "the download command of /docs shows a failed report's problem and saves no file",
  { skip: !hasCurl() },
  async () => {
    const pasted = pasteCommands(
      "unlucky-reader",
      (commands) => commands,
      async (name) => {
        const id = await startedBy(name);
        await api.fail(id);
      },
    );
    await expect(pasted).rejects.toMatchObject({ stdout: expect.stringContaining(`"code":"report-failed"`) });
  },
);

/** Runs all shell commands of the page in a new folder, while `work` completes the report that they start. Returns the output and the saved file. */
async function pasteCommands(
  name: string,
  edit: (commands: string) => string,
  work: (name: string, folder: string) => Promise<void>,
): Promise<{ readonly stdout: string; readonly file: string }> {
  await api.addUser(name, "a-long-enough-password", builtInReportAuthorities);
  const server = createServer(api.listener).listen(0, "127.0.0.1");
  await waitFor(() => server.listening, { what: "the server" });
  const folder = await mkdtemp(join(tmpdir(), "docs-page-"));
  try {
    const commands = [...text.matchAll(/<pre class="paste"[^>]*>([^<]*)<\/pre>/g)]
      .map(([, block]) => unescape(block!))
      .join("\n")
      .replace("https://reports.example.org", `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      .replace("NAME:PASSWORD", `${name}:a-long-enough-password`);
    const [{ stdout }] = await Promise.all([
      promisify(execFile)("bash", ["-euo", "pipefail", "-c", edit(commands)], { cwd: folder }),
      work(name, folder),
    ]);
    expect(await readdir(folder)).toEqual(["report.csv"]);
    return { stdout, file: await readFile(join(folder, "report.csv"), "utf8") };
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
}

async function startedBy(name: string): Promise<string> {
  return waitFor(
    async () =>
      (
        await api.sql<{ id: string }[]>`
          select id from reports where options ->> 'format' = 'csv' and requested_by = ${`basic:${name}`}`
      )[0]?.id,
    { what: "the pasted start" },
  );
}

async function succeedStarted(name: string): Promise<void> {
  await api.succeed(await startedBy(name), "name\nedge\n");
}

function unescape(html: string): string {
  return html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
