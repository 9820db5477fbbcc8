import { installTypePackages } from "@reports/testing";

/** A folder in which a package of one report type more is installed, and the environment of a process that loads it. */
export async function installCrewReports() {
  const fixture = new URL("crew-report.fixture.ts", import.meta.url).href;
  const packages = await installTypePackages({
    "crew-reports": `
      import { defineReportTypes } from "@reports/core/report-type";
      import { crewReport } from ${JSON.stringify(fixture)};
      export default defineReportTypes([{ definition: crewReport, authority: "REPORT_CREW" }]);`,
  });
  return {
    environment: { REPORT_TYPES: "crew-reports", REPORT_TYPES_DIR: packages.directory },
    [Symbol.asyncDispose]: () => packages[Symbol.asyncDispose](),
  };
}
