import type { ReportTypeInput } from "@reports/core/report-type";

const isOverdue = { column: "state", in: ["OVERDUE"] } as const;

/** Invoices: one row per invoice, from a view of the billing database. */
export const invoiceReport = {
  type: "INVOICE",
  version: 1,
  title: "Invoices",
  description: "Which invoices are open, and who is late? One row per invoice.",
  columns: [
    { key: "number", title: "Invoice", kind: "text", width: 12 },
    { key: "customer", title: "Customer", kind: "text", width: 22 },
    { key: "region", title: "Region", kind: "text", width: 8 },
    {
      key: "state",
      title: "State",
      kind: "text",
      width: 10,
      titles: { OVERDUE: "Overdue", OPEN: "Open", PAID: "Paid" },
      meanings: { OVERDUE: "The invoice is open, and its due date has passed." },
      tones: { OVERDUE: "bad", OPEN: "warn", PAID: "good" },
    },
    { key: "amount", title: "Amount", kind: "decimal", width: 12 },
    { key: "scanBytes", title: "Scans", kind: "bytes" },
    { key: "issuedOn", title: "Issued", kind: "date" },
    { key: "dueOn", title: "Due", kind: "date" },
    { key: "daysOverdue", title: "Days overdue", kind: "integer", width: 9 },
    { key: "paidAt", title: "Paid", kind: "timestamp" },
    { key: "labels", title: "Labels", kind: "list", width: 16 },
  ],
  filters: [
    {
      name: "state",
      operator: "in",
      value: "enum",
      values: ["OVERDUE", "OPEN", "PAID"],
      columns: ["state"],
      description: "States.",
    },
    { name: "region", operator: "in", value: "text", maxLength: 8, columns: ["region"], description: "Regions." },
    {
      name: "q",
      operator: "contains",
      value: "text",
      maxLength: 100,
      columns: ["number", "customer"],
      description: "Text that the number or the customer contains, in any case.",
    },
    {
      name: "label",
      operator: "has",
      value: "text",
      maxLength: 40,
      columns: ["labels"],
      description: "Labels of which an invoice has any.",
    },
    { name: "paidFrom", operator: "from", value: "timestamp", columns: ["paidAt"], description: "Paid at or after." },
  ],
  defaultSort: [{ key: "state" }, { key: "number" }],
  groupable: ["customer", "region", "state"],
  summary: {
    figures: [
      { key: "invoices", title: "Invoices", kind: "integer", aggregate: { kind: "count" } },
      {
        key: "overdue",
        title: "Overdue",
        kind: "integer",
        aggregate: { kind: "count", where: isOverdue },
        tone: "bad",
      },
      {
        key: "amountOverdue",
        title: "Amount overdue",
        kind: "decimal",
        aggregate: { kind: "sum", column: "amount", where: isOverdue },
        tone: "bad",
      },
    ],
    charts: [
      {
        key: "stateByRegion",
        title: "State by region",
        categories: { column: "region", top: 5 },
        series: [
          { label: "Overdue", where: isOverdue, tone: "bad" },
          { label: "Open", where: { column: "state", in: ["OPEN"] }, tone: "warn" },
          { label: "Paid", where: { column: "state", in: ["PAID"] }, tone: "good" },
        ],
        measure: { kind: "count" },
      },
      {
        key: "amountByCustomer",
        title: "Amount by customer",
        categories: { column: "customer", top: 10 },
        measure: { kind: "sum", column: "amount" },
      },
    ],
    attention: {
      title: "Needs action: overdue for the longest",
      where: isOverdue,
      columns: ["number", "customer", "amount", "daysOverdue"],
      sort: [{ key: "daysOverdue", descending: true }],
      limit: 10,
    },
  },
  rows: {
    kind: "view",
    view: "billing.invoice_report",
    id: "invoice_id",
    columns: {
      number: { column: "invoice_no", type: "text", nullable: false },
      customer: { column: "customer", type: "text", nullable: false },
      region: { column: "region", type: "text", nullable: false },
      // Sorts put the worst state first, instead of sorting by the alphabet.
      state: { column: "state", type: "text", rankedBy: "state_rank" },
      amount: { column: "amount", type: "numeric" },
      scanBytes: { column: "scan_bytes", type: "bigint" },
      issuedOn: { column: "issued_on", type: "date" },
      dueOn: { column: "due_on", type: "date" },
      daysOverdue: { column: "days_overdue", type: "integer" },
      paidAt: { column: "paid_at", type: "timestamptz" },
      labels: { column: "labels", type: "text[]" },
    },
    living: { column: "deleted_at", isNull: true },
  },
} as const satisfies ReportTypeInput;
