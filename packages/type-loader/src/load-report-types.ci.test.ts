import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { installReportTypePackages, isProcessAlive, waitFor } from "@reports/testing";
import { expect, test } from "vitest";

test("a module that blocks its process ends when the process that checks it is killed", async () => {
  await using packages = await installReportTypePackages({
    // Like an endless loop, a wait on shared memory keeps the process from handling messages. But it takes no processor time.
    blocks: `
      import { writeFileSync } from "node:fs";
      writeFileSync(process.env.PID_FILE, String(process.pid));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`,
  });
  const pidFile = join(packages.directory, "pid");
  // After 10 s, the parent would kill the module's process. This test kills the parent before.
  const choice = { modules: ["blocks"], directory: packages.directory, builtIn: true };
  const load = `
    import { loadReportTypes } from ${JSON.stringify(new URL("load-report-types.ts", import.meta.url).href)};
    await loadReportTypes(${JSON.stringify(choice)}, { environment: { PID_FILE: ${JSON.stringify(pidFile)} }, timeoutMs: 10_000 });`;
  const parent = spawn(process.execPath, ["--conditions=@reports/source", "--input-type=module", "--eval", load]);
  const pid = await waitFor(async () => Number(await readFile(pidFile, "utf8").catch(() => "")), {
    what: "the module to be tried",
  });
  expect(isProcessAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await waitFor(() => !isProcessAlive(pid), { what: "the module's process to end" });
});
