import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parsePageSteps } from "./parse-page-steps.ts";
import { runDocumentPage } from "./run-document-page.ts";

const folder = mkdtempSync(join(tmpdir(), "reports-page-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(page: string): Promise<readonly string[]> {
  writeFileSync(join(folder, "page.md"), fenced(page));
  const fill = (text: string): string => text.replaceAll("PASSWORD", "secret");
  return (await runDocumentPage(join(folder, "page.md"), { root: folder, folder, fill })).differences;
}

function fenced(page: string): string {
  return page.replaceAll("'''", "```");
}

test("runDocumentPage runs commands in one session and compares their output with the page", async () => {
  const page = "'''sh\nNAME=PASSWORD\n'''\n\n'''sh\necho $NAME\n'''\n\n'''text\nsecret\n'''\n";
  expect(await run(page)).toEqual([]);
  expect(await run(page.replace("text\nsecret", "text\npublic"))).toEqual([
    "page.md:9: Expected:\npublic\nReceived:\nsecret",
  ]);
});

test("runDocumentPage reports a failing command with its line on the page", async () => {
  expect(await run("'''sh\ntrue\n'''\n\n'''sh\necho no >&2; false\n'''\n")).toEqual([
    "page.md:5: the commands failed.\n\nno\n",
  ]);
});

test("runDocumentPage writes a program of a page to the file that the page names", async () => {
  expect(
    await run(
      "Save this as `add.js`:\n\n'''js\nconsole.log(1 + 1);\n'''\n\n'''sh\nnode add.js\n'''\n\n'''text\n2\n'''\n",
    ),
  ).toEqual([]);
});

test("runDocumentPage ends background processes of a page at its end", async () => {
  expect(await run("'''sh\nsleep 1000 &\n'''\n")).toEqual([]);
});

test("a block below `run by` is a step of its runner only, with its output", () => {
  const marked = "<!-- run by: pnpm try ship -->\n'''sh\nship\n'''\n\n'''text\nshipped\n'''\n";
  const page = fenced(`'''sh\ntrue\n'''\n\n${marked}\n'''sh\nfalse\n'''\n`);
  expect(parsePageSteps(page).map(({ commands }) => commands)).toEqual(["true\n", "false\n"]);
  const output = { line: 10, language: "text", text: "shipped\n" };
  expect(parsePageSteps(page, ["pnpm try ship"])).toEqual([
    { line: 6, commands: "ship\n", runner: "pnpm try ship", output },
  ]);
});

test("a program below `run by` is a step with the text of the block", () => {
  const page = fenced("<!-- run by: pnpm try ship -->\n'''ts\nship();\n'''\n");
  expect(parsePageSteps(page)).toEqual([]);
  expect(parsePageSteps(page, ["pnpm try ship"])).toEqual([
    { line: 2, commands: "ship();\n", runner: "pnpm try ship" },
  ]);
});

test("readPage throws for output without commands and a program without a file name", () => {
  expect(() => parsePageSteps(fenced("'''json\n{}\n'''\n"))).toThrow("Line 1: no commands are above this json block.");
  expect(() => parsePageSteps(fenced("Like this:\n\n'''ts\n1;\n'''\n"))).toThrow(
    "Line 3: the text above this ts block names no file.",
  );
});
