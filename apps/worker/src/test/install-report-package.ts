import { installTypePackages } from "@reports/testing";

/** A definition that a module of this folder exports. */
interface ExportedDefinition {
  /** Its file. */
  readonly module: string;
  readonly name: string;
}

/** The crew's report, which nothing but its own package knows. */
export const crewModule: ExportedDefinition = { module: "crew-report.fixture.ts", name: "crewReport" };

/** Stock of a depot, which is read from a view. */
export const stockModule: ExportedDefinition = { module: "stock-report.fixture.ts", name: "stockReport" };

/** A folder in which a package of one report type more is installed, and the environment of a process that loads it. */
export async function installReportPackage({ module, name }: ExportedDefinition) {
  const fixture = new URL(module, import.meta.url).href;
  const packages = await installTypePackages({
    "more-reports": `
      import { defineReportTypes } from "@reports/core/report-type";
      import { ${name} } from ${JSON.stringify(fixture)};
      export default defineReportTypes([{ definition: ${name}, authority: "REPORT_MORE" }]);`,
  });
  return {
    environment: { REPORT_TYPES: "more-reports", REPORT_TYPES_DIR: packages.directory },
    [Symbol.asyncDispose]: () => packages[Symbol.asyncDispose](),
  };
}
