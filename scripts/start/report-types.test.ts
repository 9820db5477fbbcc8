import { createDatabase, createUserStore } from "@reports/db";
import { cloneDemoDatabase, installReportTypePackages } from "@reports/testing";
import { expect, test } from "vitest";
import { crewReports } from "./crew-reports.fixture.ts";
import { createDemoUsers } from "./demo.ts";
import { readNpmStartReportTypes } from "./report-types.ts";

test("`npm start` finds report types in the caller's folder, and only some demo users may see them", async () => {
  await using packages = await installReportTypePackages({ "crew-reports": crewReports });
  // npm sets INIT_CWD to the folder from which the user called npm. The package is installed there.
  const given = { REPORT_TYPES: "crew-reports", INIT_CWD: packages.directory };
  const { types, authorities, environment } = await readNpmStartReportTypes(given);
  expect(types.map(({ definition }) => definition.type)).toEqual(["PROXY", "PROXY_DOMAIN", "CREW"]);
  expect(environment).toEqual({ REPORT_TYPES_DIR: packages.directory });

  await using clone = await cloneDemoDatabase();
  await createDemoUsers(clone.url, { reader: "a long password", guest: "a long password" }, authorities);
  const database = createDatabase({ url: clone.url, max: 1 });
  const users = createUserStore(database);
  expect(await users.find("reader")).toMatchObject({ authorities: expect.arrayContaining(["MAY_SEE_THE_CREW"]) });
  expect(await users.find("guest")).toMatchObject({ authorities: [] });
  await database.close();
});
