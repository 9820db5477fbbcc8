import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { checkoutFolder } from "@reports/testing";
import { runProgram } from "../machine/run-program.ts";

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
  await runProgram({ folder: checkoutFolder }, "git", ["archive", `--output=${checkout}.tar`, commit]);
  await runProgram({ folder: checkout }, "tar", ["--extract", `--file=${checkout}.tar`]);
  await runProgram({ folder: checkout }, process.execPath, ["scripts/provision.mjs", "install"]);
  return checkout;
}

async function findCommit(): Promise<string | null> {
  const git = async (...args: string[]): Promise<string> =>
    (await runProgram({ folder: checkoutFolder }, "git", args).catch(() => "")).trim();
  const tag = await git("describe", "--tags", "--abbrev=0");
  if (tag !== "") return tag;
  const commits = await git("log", "--reverse", "--format=%H", "-S## Unreleased", "--", "CHANGELOG.md");
  const [first = ""] = commits.split("\n");
  const commit = first === "" ? "" : await git("rev-parse", "--verify", `${first}^`);
  return commit === "" ? null : commit;
}
