import { builtInRegistrations, type RegisteredReportType } from "@reports/core/report";
import { installReportTypePackages } from "@reports/testing";
import { importReportTypes } from "@reports/type-loader";

/** A package with two types. One has a filter with values from data. The other differs from built-in types in authority, formats and grouping. */
const packageSource = `
  import { defineReportTypes } from "@reports/core/report-type";
  const methods = { view: "pg_catalog.pg_am", column: "amname" };
  export default defineReportTypes([{
    authority: "may:see/methods",
    definition: {
      type: "ACCESS_METHOD", version: 1, title: "Access methods",
      columns: [{ key: "name", title: "Name", kind: "text" }],
      filters: [{ name: "method", operator: "in", value: "text", columns: ["name"], valuesFrom: methods, description: "Methods." }],
      rows: { kind: "view", view: methods.view, id: methods.column, columns: { name: { column: methods.column, type: "text" } } },
    },
  }, {
    authority: "may:see/shifts",
    definition: {
      type: "CREW_SHIFT", version: 4, title: "Shifts of the crew",
      columns: [{ key: "name", title: "Name", kind: "text" }, { key: "since", title: "Since", kind: "timestamp" }],
      filters: [
        { name: "team", operator: "in", value: "text", columns: ["name"], description: "Teams." },
        { name: "teamNot", operator: "notIn", value: "text", columns: ["name"], description: "Other teams." },
        { name: "teamEmpty", operator: "empty", value: "boolean", columns: ["name"], description: "No team." },
        { name: "dayFrom", operator: "from", value: "date", columns: [], description: "First day." },
        { name: "day", operator: "in", value: "date", columns: [], description: "Days." },
        { name: "payFrom", operator: "from", value: "decimal", columns: [], description: "Least pay." },
      ],
      formats: { csv: {}, pdf: { maxRows: 100 } },
      rows: { kind: "objects", async *rows() {} },
    },
  }]);`;

let loaded: ReturnType<typeof loadTypes> | undefined;

/**
 * Returns the built-in report types and two types of a package. All test files of a process share them, so that the schemas that validate
 * responses are compiled once.
 */
export async function loadTestReportTypes(): ReturnType<typeof loadTypes> {
  return (loaded ??= loadTypes());
}

async function loadTypes(): Promise<readonly RegisteredReportType[]> {
  await using packages = await installReportTypePackages({ "crew-reports": packageSource });
  const choice = { modules: ["crew-reports"], directory: packages.directory, builtIn: true };
  const types = await importReportTypes(choice);
  if (types.length === builtInRegistrations.reportTypes.length) throw new Error("No type was loaded.");
  return types;
}
