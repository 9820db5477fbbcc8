import { spawnSync } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readNewCommits } from "./new-commits.ts";
import { findCommitSubjectFaults } from "./find-commit-subject-faults.ts";

test.each([
  "fix(db): refuse an older migrate on a newer database",
  "feat: process uploads",
  "docs(api, client)!: bring the guides into one place",
  'Revert "feat: what was never good"',
  `fix: ${"a".repeat(67)}`,
])("a commit may have the subject: %s", (subject) => {
  expect(findCommitSubjectFaults(subject)).toEqual([]);
});

test.each([
  [`fix: ${"a".repeat(68)}`, "has 73 characters, at most 72 are allowed"],
  ["update things", "does not have the form type(scope): text"],
  ["fix(DB): refuse it", "does not have the form type(scope): text"],
  ["fix: what was sent is looked at", "starts with “what”, which is not an imperative"],
  ["fix: whoever asks gets it", "starts with “whoever”, which is not an imperative"],
  ["fix: x", "starts with “x”, which is not an imperative"],
  ["fix: added a test", "starts with “added”, which is not an imperative"],
  ["fix: told callers", "starts with “told”, which is not an imperative"],
  ["fix: adds a test", "starts with “adds”, which is not an imperative"],
  ["fix: adding a test", "starts with “adding”, which is not an imperative"],
  ["fix: Refuse it", "starts with a capital letter"],
  ["fix: refuse it.", "ends with a full stop"],
])("a commit must not have the subject: %s", (subject, fault) => {
  expect(findCommitSubjectFaults(subject)).toEqual([fault]);
});

test("newCommits begins at COMMITS_SINCE, at the last tag or at the remote's branch", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "commits-"));
  const origin = join(folder.path, "origin");
  const git = (where: string, ...args: readonly string[]) => {
    const as = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"];
    const { status, stderr } = spawnSync("git", [...as, ...args], { cwd: where, encoding: "utf8" });
    expect({ status, stderr }).toMatchObject({ status: 0 });
  };
  const commit = (where: string, subject: string) => git(where, "commit", "--quiet", "--allow-empty", "-m", subject);
  const found = async (where: string, given = "") => {
    const { since, commits } = await readNewCommits(where, given);
    return [since === "" ? "" : "base", ...commits.map(({ subject }) => subject)];
  };
  git(folder.path, "init", "--quiet", "--initial-branch=main", origin);
  commit(origin, "fix: first");
  commit(origin, "fix: second");
  const clone = join(folder.path, "clone");
  git(folder.path, "clone", "--quiet", origin, clone);
  expect(await found(clone)).toEqual(["", "fix: second"]);
  commit(clone, "fix: third");
  commit(clone, "fix: fourth");
  expect(await found(origin)).toEqual(["", "fix: second"]);
  expect(await found(clone)).toEqual(["base", "fix: fourth", "fix: third"]);
  expect(await found(clone, "HEAD~1")).toEqual(["base", "fix: fourth"]);
  git(clone, "tag", "v1.0.0", "HEAD~3");
  expect(await found(clone)).toEqual(["base", "fix: fourth", "fix: third", "fix: second"]);
  const shallow = join(folder.path, "shallow");
  git(folder.path, "clone", "--quiet", "--depth=1", "--no-tags", `file://${clone}`, shallow);
  git(shallow, "remote", "remove", "origin");
  expect(await found(shallow)).toEqual(["", "fix: fourth"]);
});
