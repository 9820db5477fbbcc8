import { expect, test } from "vitest";
import { deploymentRules, deploymentVariables } from "./deployment-variables.ts";
import { readEnvironment } from "./read-environment.ts";

const read = (prefix: string) =>
  readEnvironment(
    deploymentVariables,
    { DATABASE_URL: "postgres://u@h/d", STORAGE_DIR: "/files", STORAGE_PREFIX: prefix },
    deploymentRules,
  ).storagePrefix;

test("a prefix lies beside every other deployment's files, never below them", () => {
  for (const prefix of ["reports", "reports/team-b", "team-a/reports/b", "team-a/reports"]) {
    expect(() => read(prefix)).toThrow(/STORAGE_PREFIX[^]*reports/);
  }
  for (const prefix of ["reports-of-b", "team-a/production", "my.reports"]) expect(read(prefix)).toBe(prefix);
});
