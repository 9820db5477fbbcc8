import { join } from "node:path";
import { runProcessToEnd } from "@reports/testing";
import { expect, test } from "vitest";

/** Imports the module of its argument, and prints the URLs of all files that this loads. */
const listLoadedFiles = `
import { registerHooks } from "node:module";
const loaded = [];
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
await import(process.argv[1]);
console.log(JSON.stringify(loaded.filter((url) => url.startsWith("file:"))));`;

// A report starts two threads. With zod and the definitions of report types, each took 0.9 s of processor time to start, and without them 0.13 s.
test("a thread that converts rows loads no library and no definition of a report type", async () => {
  const { end, log, stdout } = await runProcessToEnd({
    name: "loaded files",
    program: process.execPath,
    args: [
      ...process.execArgv,
      "--input-type=module",
      "-e",
      listLoadedFiles,
      join(import.meta.dirname, "conversion-thread.ts"),
    ],
    environment: {},
  });
  expect({ end, log }).toMatchObject({ end: 0 });
  const loaded = JSON.parse(stdout) as string[];
  expect(loaded.filter((url) => /\/(?:sheet-encoder|base)\.ts$/.test(url))).toHaveLength(2);
  expect(loaded.filter((url) => /\/node_modules\/|\/core\/src\/(?:report|query)/.test(url))).toEqual([]);
});
