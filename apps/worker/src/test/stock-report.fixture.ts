import type { ReportTypeDefinition } from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";

export const stockReport: ReportTypeDefinition = defineReportTypes([
  {
    definition: {
      type: "STOCK",
      version: 1,
      title: "Stock",
      columns: [
        { key: "item", title: "Item", kind: "text" },
        { key: "amount", title: "Amount", kind: "integer" },
      ],
      rows: {
        kind: "view",
        view: "stock",
        id: "item",
        columns: { item: { column: "item", type: "text" }, amount: { column: "amount", type: "integer" } },
      },
    },
    authority: "REPORT_MORE",
  },
]).reportTypes[0]!.definition;
