import { installTypePackages } from "@reports/testing";

/** A definition that a module of this folder exports. */
interface ExportedDefinition {
  /** Its file. */
  readonly module: string;
  readonly name: string;
}

/** The crew's report before it could be filtered. */
export const olderCrewModule: ExportedDefinition = { module: "crew-report.fixture.ts", name: "olderCrewReport" };

/** The crew's report, which nothing but its own package knows. */
export const crewModule: ExportedDefinition = { module: "crew-report.fixture.ts", name: "crewReport" };

/** Stock of a depot, which is read from a view. */
export const stockModule: ExportedDefinition = { module: "stock-report.fixture.ts", name: "stockReport" };

/** A folder in which a package of further report types is installed, and the environment of a process that loads it. */
export async function installReportPackage(...definitions: readonly ExportedDefinition[]) {
  const imports = definitions.map(
    ({ module, name }) => `import { ${name} } from ${JSON.stringify(new URL(module, import.meta.url).href)};`,
  );
  const registrations = definitions.map(({ name }) => `{ definition: ${name}, authority: "REPORT_MORE" }`);
  const packages = await installTypePackages({
    "more-reports": `
      import { defineReportTypes } from "@reports/core/report-type";
      ${imports.join("\n")}
      export default defineReportTypes([${registrations.join(", ")}]);`,
  });
  return {
    environment: { REPORT_TYPES: "more-reports", REPORT_TYPES_DIR: packages.directory },
    [Symbol.asyncDispose]: () => packages[Symbol.asyncDispose](),
  };
}
