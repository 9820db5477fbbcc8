import { runProgram } from "../machine/run-program.ts";

export interface NewCommits {
  readonly since: string;
  readonly commits: readonly { readonly hash: string; readonly subject: string }[];
}

async function branchPoint(git: (...args: readonly string[]) => Promise<string>): Promise<string> {
  const base = await git("merge-base", "HEAD", "refs/remotes/origin/HEAD");
  return base === (await git("rev-parse", "HEAD")) ? "" : base;
}

/**
 * Returns the commits since `COMMITS_SINCE`, else since the last tag, else since HEAD left the remote's default branch. If none of these is known, as
 * in a shallow clone, returns only the last commit.
 */
export async function readNewCommits(folder: string, given = process.env["COMMITS_SINCE"]): Promise<NewCommits> {
  const git = async (...args: readonly string[]) => (await runProgram({ folder }, "git", args)).trim();
  const orEmpty = async (...args: readonly string[]) => git(...args).catch(() => "");
  const since = given || (await orEmpty("describe", "--tags", "--abbrev=0")) || (await branchPoint(orEmpty));
  const range = since === "" ? ["--max-count=1"] : [`${since}..HEAD`];
  const lines = await git("log", "--no-merges", "--format=%h %s", ...range);
  return {
    since,
    commits: lines.split("\n").flatMap((line) => {
      const [, hash, subject] = /^(\S+) (.+)$/.exec(line) ?? [];
      return hash === undefined ? [] : [{ hash, subject: subject! }];
    }),
  };
}
