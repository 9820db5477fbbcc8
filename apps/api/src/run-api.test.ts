import { builtInReportTypes } from "@reports/core/report";
import { ConfigurationError } from "@reports/runtime";
import { installReportTypePackages } from "@reports/testing";
import { expect, test } from "vitest";
import { runApi } from "./run-api.ts";
import { testJwtSecret } from "./test/config-under-test.ts";

const environment = {
  DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing",
  STORAGE_DIR: "/unused",
  AUTH_JWT_SECRET: testJwtSecret,
};

async function problemsWith(change: Readonly<Record<string, string>>): Promise<string> {
  const error = await runApi({ ...environment, ...change }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigurationError);
  return String(error);
}

test("the API refuses a report type whose rows come from an unknown relation", async () => {
  await using packages = await installReportTypePackages({
    relation: `
      import { defineReportTypes } from "@reports/core/report-type";
      const columns = [{ key: "name", title: "Name", kind: "text" }];
      const definition = { type: "CREW", version: 1, title: "Crew", columns, rows: { kind: "relation", relation: "crew" } };
      export default defineReportTypes([{ definition, authority: "REPORT_CREW" }]);`,
  });
  expect(await problemsWith({ REPORT_TYPES: "relation", REPORT_TYPES_DIR: packages.directory })).toContain(
    "- REPORT_TYPES: The rows of CREW come from a relation that does not exist in the inventory.",
  );
});

test("the API refuses an authority for a report type that it does not serve", async () => {
  expect(await problemsWith({ AUTH_REPORT_AUTHORITIES: "CREW=MAY_SEE" })).toContain(
    `- AUTH_REPORT_AUTHORITIES: CREW is not a report type of this deployment: ${builtInReportTypes.map(({ type }) => type).join(", ")} are`,
  );
});

test("the API refuses a DATABASE_URL with an unknown sslmode before it connects", async () => {
  expect(await problemsWith({ DATABASE_URL: `${environment.DATABASE_URL}?sslmode=prefer` })).toContain(
    "- DATABASE_URL: has an sslmode that is none of",
  );
});
