import { installReportTypePackages } from "@reports/testing";

interface ExportedDefinition {
  readonly module: string;
  readonly name: string;
}

export const olderCrewModule: ExportedDefinition = { module: "crew-report.fixture.ts", name: "olderCrewReport" };

export const crewModule: ExportedDefinition = { module: "crew-report.fixture.ts", name: "crewReport" };

export const stockModule: ExportedDefinition = { module: "stock-report.fixture.ts", name: "stockReport" };

export async function installReportPackage(...definitions: readonly ExportedDefinition[]) {
  const imports = definitions.map(
    ({ module, name }) => `import { ${name} } from ${JSON.stringify(new URL(module, import.meta.url).href)};`,
  );
  const registrations = definitions.map(({ name }) => `{ definition: ${name}, authority: "REPORT_MORE" }`);
  const packages = await installReportTypePackages({
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
