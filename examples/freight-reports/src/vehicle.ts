import { selectRows, type ObjectRowsRequest, type ReportTypeInput } from "@reports/core/report-type";
import { depots, readVehicles, type Vehicle } from "./fleet.js";

const columns = [
  { key: "plate", title: "Vehicle", kind: "text", width: 12, link: { column: "mapUrl" } },
  { key: "depot", title: "Depot", kind: "text", width: 8, titles: depots },
  { key: "model", title: "Model", kind: "text", width: 16 },
  { key: "odometer", title: "Odometer", kind: "integer", unit: "km" },
  {
    key: "tank",
    title: "Tank",
    kind: "ratio",
    digits: 0,
    tonesByNumber: [
      { below: 0.1, tone: "bad" },
      { below: 0.25, tone: "warn" },
    ],
  },
  { key: "consumption", title: "Consumption", kind: "decimal", unit: "l/100 km", digits: 1 },
  { key: "inspectionOn", title: "Inspection", kind: "date", expires: true },
  { key: "daysToInspection", title: "Days to inspection", kind: "integer", daysUntil: "expiry" },
  { key: "seenAt", title: "Last seen", kind: "timestamp" },
  { key: "place", title: "Place", kind: "text", width: 24 },
  { key: "trailers", title: "Trailers", kind: "list" },
  { key: "mapUrl", title: "Map", kind: "text" },
] as const;

const filters = [
  {
    name: "depot",
    operator: "in",
    value: "enum",
    values: Object.keys(depots),
    columns: ["depot"],
    required: true,
    description: "Depots of the vehicles.",
  },
  {
    name: "q",
    operator: "contains",
    value: "text",
    columns: ["plate", "model"],
    description: "Text that the plate or the model contains, in any case.",
  },
  { name: "tankTo", operator: "to", value: "decimal", min: 0, max: 1, columns: ["tank"], description: "Tank below." },
  {
    name: "inspectionTo",
    operator: "to",
    value: "date",
    columns: ["inspectionOn"],
    description: "Inspection before this day.",
  },
] as const;

const isOverdue = { column: "daysToInspection", below: 0 } as const;

export const vehicleReport = {
  type: "VEHICLE",
  version: 1,
  title: "Vehicles",
  description: "Where are the vehicles, and which must be inspected? One row per vehicle.",
  columns,
  filters,
  pdfColumns: [
    "plate",
    "model",
    "odometer",
    "tank",
    "consumption",
    "inspectionOn",
    "daysToInspection",
    "seenAt",
    "place",
  ],
  groupable: ["depot"],
  formats: { pdf: { maxRows: 5_000 }, xlsx: {}, csv: {}, json: {}, ndjson: {} },
  summary: {
    figures: [
      { key: "vehicles", title: "Vehicles", kind: "integer", aggregate: { kind: "count" } },
      {
        key: "overdue",
        title: "Inspection overdue",
        kind: "integer",
        aggregate: { kind: "count", where: isOverdue },
        tone: "bad",
      },
      {
        key: "consumption",
        title: "Mean consumption",
        kind: "decimal",
        aggregate: { kind: "avg", column: "consumption" },
      },
    ],
    charts: [
      {
        key: "byModel",
        title: "Vehicles by model",
        categories: { column: "model", top: 6 },
        measure: { kind: "count" },
      },
    ],
    subtotals: ["overdue", "consumption"],
    attention: {
      title: "Needs action: inspection overdue",
      where: isOverdue,
      columns: ["plate", "depot", "model", "inspectionOn", "daysToInspection", "place"],
      sort: [{ key: "daysToInspection" }],
      limit: 20,
    },
  },
  texts: {
    de: {
      title: "Fahrzeuge",
      description: "Wo sind die Fahrzeuge, und welche müssen geprüft werden? Eine Zeile je Fahrzeug.",
      attention: "Zu erledigen: Prüfung überfällig",
      columns: {
        plate: "Fahrzeug",
        depot: "Depot",
        model: "Modell",
        odometer: "Kilometerstand",
        tank: "Tank",
        consumption: "Verbrauch",
        inspectionOn: "Hauptuntersuchung",
        daysToInspection: "Tage bis zur Prüfung",
        seenAt: "Zuletzt gesehen",
        place: "Ort",
        trailers: "Anhänger",
        mapUrl: "Karte",
      },
      figures: { vehicles: "Fahrzeuge", overdue: "Prüfung überfällig", consumption: "Mittlerer Verbrauch" },
      charts: { byModel: "Fahrzeuge je Modell" },
    },
  },
  rows: {
    kind: "objects",
    async *rows(request: ObjectRowsRequest) {
      // The service returns vehicles by plate. In that order, and filtered only by depot, each page is passed on when it arrives, so a preview reads
      // few pages.
      if (isInOrderOfService(request)) yield* readVehicles(askedOf(request), request.signal);
      else yield* selectRows(await readAll(request), { columns, filters }, request);
    },
  },
} as const satisfies ReportTypeInput;

function isInOrderOfService({ sort, searchParam }: ObjectRowsRequest): boolean {
  const sortedByPlate = sort.every(({ key, descending }) => key === "plate" && !descending);
  return sortedByPlate && Object.keys(searchParam).every((name) => name === "depot");
}

function askedOf({ searchParam, columns: shown, limit, locale, requester }: ObjectRowsRequest) {
  // `place` needs a slow look-up in the fleet service, so it is requested only if the report shows that column.
  return {
    depot: searchParam["depot"] as readonly string[],
    places: shown.includes("place"),
    limit,
    locale,
    requester: requester.id,
  };
}

async function readAll(request: ObjectRowsRequest): Promise<Vehicle[]> {
  const found: Vehicle[] = [];
  for await (const vehicle of readVehicles(askedOf({ ...request, limit: null }), request.signal)) found.push(vehicle);
  return found;
}
