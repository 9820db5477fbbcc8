import { join } from "node:path";
import { CommandExitError, runCommand } from "@reports/commands";
import { readNewCommits } from "../commits/new-commits.ts";
import { findCommitSubjectFaults } from "../commits/find-commit-subject-faults.ts";

await runCommand(async () => {
  const { since, commits } = await readNewCommits(join(import.meta.dirname, "../.."));
  const lines = commits.flatMap(({ hash, subject }) =>
    findCommitSubjectFaults(subject).map((fault) => `${hash} ${subject}: ${fault}`),
  );
  if (lines.length > 0) throw new CommandExitError(`${lines.join("\n")}\nSee Commit subjects in docs/style.md.`);
  const where = since === "" ? "no base is known, so only the last commit counts" : `since ${since}`;
  process.stdout.write(`${commits.length} commit subjects have the right form (${where}).\n`);
});
