import type { SummaryInput } from "@reports/core/report-type";

const isLate = { column: "daysLate", atLeast: 1 } as const;
const isLost = { column: "state", in: ["LOST"] } as const;
const inEuro = { column: "currency", in: ["EUR"] } as const;

export const shipmentSummary = {
  figures: [
    { key: "shipments", title: "Shipments", kind: "integer", aggregate: { kind: "count" } },
    { key: "late", title: "Not on time", kind: "integer", aggregate: { kind: "count", where: isLate }, tone: "warn" },
    { key: "lost", title: "Lost", kind: "integer", aggregate: { kind: "count", where: isLost }, tone: "bad" },
    { key: "customers", title: "Customers", kind: "integer", aggregate: { kind: "distinct", column: "customer" } },
    { key: "weight", title: "Weight", kind: "decimal", aggregate: { kind: "sum", column: "weight" } },
    {
      key: "meanDistance",
      title: "Mean distance",
      kind: "decimal",
      digits: 0,
      aggregate: { kind: "avg", column: "distance" },
    },
    {
      key: "loadFactor",
      title: "Load factor, by distance",
      kind: "ratio",
      digits: 1,
      aggregate: { kind: "weighted-mean", column: "loadFactor", weight: "distance" },
    },
    {
      key: "meanTransit",
      title: "Mean time in transit",
      kind: "duration",
      digits: 0,
      aggregate: { kind: "avg", column: "inTransit" },
    },
    { key: "firstPickUp", title: "First pick-up", kind: "date", aggregate: { kind: "min", column: "pickedUpOn" } },
    {
      key: "lastDelivery",
      title: "Last delivery",
      kind: "timestamp",
      aggregate: { kind: "max", column: "deliveredAt" },
    },
    {
      key: "chargesInEuro",
      title: "Charges in euro",
      kind: "decimal",
      aggregate: { kind: "sum", column: "charge", where: inEuro },
    },
    {
      key: "fuelSurcharges",
      title: "Fuel surcharges",
      kind: "decimal",
      aggregate: { kind: "sum", column: "fuelSurcharge" },
    },
  ],
  charts: [
    {
      key: "stateByDepot",
      title: "Shipments by depot",
      categories: { column: "depot", top: 10 },
      series: [
        { label: "Not delivered", where: { column: "deliveredAt", isNull: true }, tone: "warn" },
        { label: "Delivered", where: { column: "deliveredAt", isNull: false }, tone: "good" },
      ],
      measure: { kind: "count" },
    },
    {
      key: "delays",
      title: "Shipments by delay",
      categories: {
        parts: [
          { label: "On time", where: { column: "daysLate", below: 1 }, tone: "good" },
          { label: "1 to 3 days late", where: { column: "daysLate", atLeast: 1, below: 4 }, tone: "warn" },
          { label: "4 days late or more", where: { column: "daysLate", atLeast: 4 }, tone: "bad" },
        ],
      },
      measure: { kind: "count" },
    },
    {
      key: "weightByCustomer",
      title: "Weight by customer",
      categories: { column: "customer", top: 8 },
      measure: { kind: "sum", column: "weight" },
    },
  ],
  subtotals: ["late", "lost", "weight", "loadFactor", "chargesInEuro", "lastDelivery"],
  attention: {
    title: "Needs action: lost and late shipments",
    where: { column: "state", in: ["LOST", "LATE"] },
    columns: [
      "trackingNo",
      "customer",
      "depot",
      "state",
      "promisedOn",
      "daysLate",
      "charge",
      "currency",
      "trackingUrl",
    ],
    pdfColumns: ["trackingNo", "customer", "depot", "state", "promisedOn", "daysLate", "charge", "currency"],
    sort: [{ key: "state" }, { key: "promisedOn" }],
    limit: 25,
  },
} as const satisfies SummaryInput;
