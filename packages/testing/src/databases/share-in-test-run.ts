import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../wait-for.ts";

/** Environment variable of all processes of a test run. It contains the path of the session folder, which the run removes when it ends. */
export const sessionVariable = "REPORTS_TEST_SESSION";

/** Returns a value that all processes of a test run share under a name. The first caller creates it with `make`. The value is stored as JSON. */
export async function shareInTestRun<T>(name: string, make: (folder: string) => Promise<T>): Promise<T> {
  const folder = requireSessionFolderOrThrow();
  const file = join(folder, `${name}.json`);
  const failure = join(folder, `${name}.failure`);
  if (await acquireLock(join(folder, `${name}.starting`))) {
    try {
      const made = await make(folder);
      await writeFile(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
      await rename(`${file}.new`, file);
    } catch (error) {
      await writeFile(failure, String(error));
      throw error;
    }
  }
  await waitFor(
    () => {
      if (existsSync(failure))
        throw new Error(`The ${name} that all tests share could not be created. ${readFileSync(failure, "utf8")}`);
      return existsSync(file);
    },
    { what: `another test process to create the ${name} that all tests share`, timeoutMs: 300_000 },
  );
  return JSON.parse(await readFile(file, "utf8")) as T;
}

async function acquireLock(lock: string): Promise<boolean> {
  return await mkdir(lock).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      throw error;
    },
  );
}

export function isInTestRun(): boolean {
  return Boolean(process.env[sessionVariable]);
}

export function requireSessionFolderOrThrow(): string {
  const folder = process.env[sessionVariable];
  if (folder) return folder;
  throw new Error(
    "Test databases exist in a run of vitest only, which begins with packages/testing/src/databases/global-setup.ts. Elsewhere, use startPostgres.",
  );
}
