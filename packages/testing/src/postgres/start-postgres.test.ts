import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFullTestRun } from "../divide-cases.ts";
import { waitFor } from "../wait-for.ts";
import { findPostgresOsUser } from "./postgres-os-user.ts";
import { startPostgres, throwAwayPostgresSettings } from "./start-postgres.ts";

// In every run, npm-start-process.test.ts starts a server on the data folder of one that has ended. Only here does the first server still run.
test.runIf(isFullTestRun)("startPostgres waits for the previous server on its data folder to end", async () => {
  const settings = throwAwayPostgresSettings;
  const first = await startPostgres({ settings });
  const { dataDir, logPath } = first;
  const starting = startPostgres({ dataDir, password: new URL(first.url).password, settings });
  try {
    await waitFor(() => readFileSync(logPath, "utf8").includes('lock file "postmaster.pid" already exists'), {
      what: "the second server to find the first",
    });
  } finally {
    await first.stop("immediate", { keepData: true });
  }
  const second = await starting;
  expect(second.pid).not.toBe(first.pid);
  await expect(startPostgres({ dataDir, settings })).rejects.toThrow("whose password must be given");
  await second.stop("immediate", { keepData: false });
});

test.skipIf(findPostgresOsUser() === null)(
  "startPostgres rejects a folder of programs that the server's user cannot read",
  async () => {
    const bin = mkdtempSync(join(tmpdir(), "unreachable-postgres-"));
    try {
      for (const program of ["initdb", "postgres"]) symlinkSync("/bin/true", join(bin, program));
      await expect(startPostgres({ bin, settings: throwAwayPostgresSettings })).rejects.toThrow(
        `cannot reach ${join(bin, "postgres")}`,
      );
    } finally {
      rmSync(bin, { recursive: true });
    }
  },
);
