import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Preload script. It prints a line when compose.ts is loaded and one per V8 flag that is set, and exits after the second flag. */
const observe = `
import v8 from "node:v8";
import { registerHooks, syncBuiltinESMExports } from "node:module";
registerHooks({ load: (url, context, next) => (url.endsWith("/src/compose.ts") && console.log("compose.ts"), next(url, context)) });
let flags = 0;
v8.setFlagsFromString = (flag) => (console.log(flag), ++flags === 2 && process.exit());
syncBuiltinESMExports();`;

test("V8 optimizes for size while the worker loads its modules, and no longer after", async () => {
  const folder = await mkdtemp(join(tmpdir(), "worker-main-"));
  const preload = `data:text/javascript,${encodeURIComponent(observe)}`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--conditions=@reports/source", "--import", preload, join(import.meta.dirname, "main.ts")],
    { env: { PATH: process.env["PATH"], DATABASE_URL: "postgres://a:b@127.0.0.1:1/c", STORAGE_DIR: folder } },
  );
  expect(stdout.trim().split("\n")).toEqual(["compose.ts", "--no-optimize-for-size", "--heap-growing-percent=50"]);
  await rm(folder, { recursive: true });
});
