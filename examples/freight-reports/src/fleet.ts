import { PermanentReportError, StoreUnavailableError } from "@reports/core/report-type";

export const depots = {
  AMS: "Amsterdam Westpoort",
  BER: "Berlin Großbeeren",
  GDN: "Gdańsk Port",
  HAM: "Hamburg Altenwerder",
  OLD: "Bremen (closed)",
} as const;

/** One vehicle, as the fleet service returns it, with Date objects for times. It is a type, because an interface is not assignable to ObjectRow. */
export type Vehicle = {
  readonly plate: string;
  readonly depot: string;
  readonly model: string;
  readonly odometer: number;
  readonly tank: string;
  readonly consumption: string | null;
  readonly inspectionOn: string;
  readonly daysToInspection: number;
  readonly seenAt: Date | null;
  readonly place: string | null;
  readonly trailers: readonly string[];
  readonly mapUrl: string;
};

export interface VehicleQuery {
  readonly depot: readonly string[];
  /** Whether the fleet service has to return `place`, which takes it a slow look-up. */
  readonly places: boolean;
  readonly limit: number | null;
  readonly locale: string;
  /** The ID of the principal for whom the report is made. The fleet service writes it to its audit log. */
  readonly requester: string;
}

interface Page {
  readonly vehicles: readonly (Omit<Vehicle, "seenAt"> & { readonly seenAt: string | null })[];
  readonly next: string | null;
}

const pageSize = 100;

/**
 * Reads vehicles page by page. The URL of the service is in TYPES_FLEET_URL, because the functions of a report type see only variables with that
 * prefix.
 */
export async function* readVehicles(query: VehicleQuery, signal: AbortSignal): AsyncGenerator<Vehicle> {
  const url = new URL("vehicles", process.env["TYPES_FLEET_URL"]);
  for (const depot of query.depot) url.searchParams.append("depot", depot);
  url.searchParams.set("size", String(Math.min(query.limit ?? pageSize, pageSize)));
  url.searchParams.set("places", String(query.places));
  for (let next: string | null = url.href; next !== null;) {
    const page: Page = await readPage(next, query, signal);
    for (const vehicle of page.vehicles)
      yield { ...vehicle, seenAt: vehicle.seenAt === null ? null : new Date(vehicle.seenAt) };
    next = page.next;
  }
}

async function readPage(url: string, { locale, requester }: VehicleQuery, signal: AbortSignal): Promise<Page> {
  const headers = { "Accept-Language": locale, "X-On-Behalf-Of": encodeURIComponent(requester) };
  const response = await fetch(url, { headers, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new StoreUnavailableError("The fleet service does not answer.", { cause: error });
  });
  if (response.ok) return (await response.json()) as Page;
  // PermanentReportError ends the report, because a retry cannot help. The requester sees the message.
  if (response.status === 410) throw new PermanentReportError("INVALID_DATA", await response.text());
  throw new StoreUnavailableError(`The fleet service answers ${response.status}.`);
}
