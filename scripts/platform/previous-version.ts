import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkoutFolder } from "@reports/testing";

const run = promisify(execFile);

/**
 * Installs the previous version from the history of the repository into the folder. Returns its path, or null if the history does not reach back so
 * far. The previous version is the last tag. Before the first tag, it is the last commit before the changelog got its section `Unreleased`.
 */
export async function installPreviousVersion(folder: string): Promise<string | null> {
  const commit = await findCommit();
  if (commit === null) {
    process.stdout.write(
      "The history does not reach the previous version (git fetch --unshallow), so nothing is upgraded.\n",
    );
    return null;
  }
  const checkout = join(folder, "previous-version");
  await mkdir(checkout);
  const options = { cwd: checkoutFolder, maxBuffer: 2 ** 26 };
  await run("git", ["archive", `--output=${checkout}.tar`, commit], options);
  await run("tar", ["--extract", `--file=${checkout}.tar`, `--directory=${checkout}`]);
  await run(process.execPath, ["scripts/provision.mjs", "install"], { ...options, cwd: checkout });
  return checkout;
}

async function findCommit(): Promise<string | null> {
  const git = async (...args: string[]): Promise<string> =>
    run("git", args, { cwd: checkoutFolder }).then(
      ({ stdout }) => stdout.trim(),
      () => "",
    );
  const tag = await git("describe", "--tags", "--abbrev=0");
  if (tag !== "") return tag;
  const [first = ""] = (await git("log", "--reverse", "--format=%H", "-S## Unreleased", "--", "CHANGELOG.md")).split(
    "\n",
  );
  const commit = first === "" ? "" : await git("rev-parse", "--verify", `${first}^`);
  return commit === "" ? null : commit;
}
