/** The module of a package with one report type. */
export const crewReports = `
  import { defineReportTypes } from "@reports/core/report-type";
  export default defineReportTypes([{
    authority: "MAY_SEE_THE_CREW",
    definition: {
      type: "CREW", version: 1, title: "Crew", columns: [{ key: "name", title: "Name", kind: "text" }],
      rows: { kind: "objects", async *rows() { yield { name: "Ada" }; } },
    },
  }]);`;
