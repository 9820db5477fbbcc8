import { describeDifference, type ExpectedReport, type SavedReports } from "./find-report-file-faults.ts";
import { runProgram } from "../machine/run-program.ts";

export interface FreightReports extends SavedReports {
  readonly preview: readonly { readonly inspectionOn: string; readonly place: string | null }[];
  readonly schedule: string;
  readonly outcome: string;
}

interface Queried {
  readonly rows: number;
  readonly sum: string;
  readonly figures: ExpectedReport["figures"];
}

/** Expected values from the database. The days are those of the client's relative times, in its time zone. */
const shipments = `SELECT count(*)::integer AS rows, sum(weight_kg)::text AS sum, json_build_object(
  'shipments', count(*), 'late', count(*) FILTER (WHERE days_late >= 1), 'lost', count(*) FILTER (WHERE state = 'LOST'),
  'customers', count(DISTINCT customer), 'weight', sum(weight_kg)::text, 'meanDistance', round(avg(distance_km), 6)::text,
  'loadFactor', round(sum(load_factor * distance_km) / sum(distance_km), 6)::text, 'firstPickUp', min(picked_up_on),
  'meanTransit', round(avg(extract(epoch FROM in_transit)), 6)::text,
  'chargesInEuro', sum(charge) FILTER (WHERE currency = 'EUR')::text, 'fuelSurcharges', sum(fuel_surcharge)::text) AS figures
FROM freight.shipment_report WHERE picked_up_on >= freight.today() - 90 AND picked_up_on < freight.today()`;
const depots = `SELECT count(*)::integer AS rows, sum(weight_kg)::text AS sum, json_build_object(
  'shipments', sum(shipments)::text, 'late', sum(late)::text, 'oldestOn', min(oldest_on), 'largest', max(weight_kg)::text,
  'lateShare', round(sum(late_share * shipments) / sum(shipments), 6)::text) AS figures
FROM freight.depot_load(freight.today() - 7)`;
/**
 * Rows of the report that the README starts with former names of filters. A default filter omits shipments older than a year. The report gives no time
 * zone, so its year ends at the day of UTC.
 */
const hamburg = `SELECT count(*)::integer AS rows, sum(weight_kg)::text AS sum, 'null'::json AS figures
FROM freight.shipment_report WHERE depot = 'HAM' AND picked_up_on >= (now() AT TIME ZONE 'UTC')::date - interval '1 year'`;

export async function readExpectedFreightReports(
  databaseUrl: string,
  fleetUrl: string,
): Promise<Record<string, ExpectedReport>> {
  const vehicles = await readVehicles(fleetUrl);
  const odometer = vehicles.reduce((sum, vehicle) => sum + vehicle.odometer, 0);
  const overdue = vehicles.filter(({ daysToInspection }) => daysToInspection < 0).length;
  return {
    SHIPMENT: {
      ...(await query(databaseUrl, shipments)),
      columns: 23,
      texts: ["Sendungen nach Verspätung", "Auslastung nach Strecke", "Hamburg Altenwerder", "Verloren"],
    },
    DEPOT_LOAD: {
      ...(await query(databaseUrl, depots)),
      columns: 10,
      texts: ["Load of the depots", "Oldest pick-up", "United Kingdom"],
    },
    VEHICLE: {
      columns: 12,
      rows: vehicles.length,
      sum: odometer.toFixed(2),
      figures: { vehicles: vehicles.length, overdue },
      texts: ["Needs action: inspection overdue", "l/100 km", "Vehicles by model"],
    },
  };
}

export async function findFreightFaults(
  { preview, schedule, outcome }: FreightReports,
  hamburgCsv: string,
  databaseUrl: string,
): Promise<string[]> {
  const [header, ...rows] = hamburgCsv.trimEnd().split("\r\n");
  const wanted = await query(databaseUrl, hamburg);
  const sum = rows.reduce((total, row) => total + Math.round(Number(row.split(",")[1]) * 100), 0) / 100;
  return [
    ...describeDifference("The schedule", { schedule, outcome }, { schedule: "ACTIVE", outcome: "STARTED" }),
    ...(preview.length > 0 && preview.every(({ place }) => place !== null) ? [] : ["The preview has no places."]),
    ...describeDifference("The header of hamburg.csv", header, "trackingNo,weight"),
    ...describeDifference(
      "hamburg.csv",
      { rows: rows.length, sum: sum.toFixed(2) },
      { rows: wanted.rows, sum: wanted.sum },
    ),
  ];
}

async function query(databaseUrl: string, sql: string): Promise<Queried> {
  const options = ["--no-align", "--tuples-only", "--command", `SELECT row_to_json(found) FROM (${sql}) AS found`];
  return JSON.parse(await runProgram({ folder: "." }, "psql", [databaseUrl, ...options])) as Queried;
}

async function readVehicles(
  fleetUrl: string,
): Promise<readonly { readonly odometer: number; readonly daysToInspection: number }[]> {
  const response = await fetch(new URL("vehicles?depot=HAM&depot=GDN&depot=BER&size=10000&places=false", fleetUrl));
  return ((await response.json()) as { vehicles: Awaited<ReturnType<typeof readVehicles>> }).vehicles;
}
