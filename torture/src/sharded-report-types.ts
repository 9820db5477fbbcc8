import { reportFormats } from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import { shardedTypeName, tortureAuthority } from "./report-types.ts";

/** @public A module that REPORT_TYPES names exports its types as default. stand/shards.ts creates the rows. */
// oxlint-disable-next-line import/no-default-export
export default defineReportTypes([
  {
    authority: tortureAuthority,
    definition: {
      type: shardedTypeName,
      version: 1,
      title: shardedTypeName,
      columns: [
        { key: "number", title: "Number", kind: "integer" },
        { key: "text", title: "Text", kind: "text" },
      ],
      defaultSort: [{ key: "number" }],
      formats: Object.fromEntries(reportFormats.map((format) => [format, { maxRows: 10_000 }])),
      rows: {
        kind: "view",
        source: "sharded",
        view: "numbers",
        id: "number",
        columns: {
          number: { column: "number", type: "integer", nullable: false },
          text: { column: "text", type: "text" },
        },
      },
    },
  },
]);
