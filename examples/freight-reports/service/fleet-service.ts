// Stands for the carrier's fleet service: returns pages of generated vehicles over HTTP, slowly. Run it with: node service/fleet-service.ts. It reads
// the variable PORT (default: 4500) and prints its URL.
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { setTimeout } from "node:timers/promises";
import type { AddressInfo } from "node:net";

const models = ["Actros 1845", "Crafter L4H3", "eActros 300", "MAN TGX 18.470", "Sprinter 317", "Volvo FH 460"];
const towns: Readonly<Record<string, readonly string[]>> = {
  AMS: ["Haarlem", "Utrecht", "Almere"],
  BER: ["Potsdam", "Köpenick", "Teltow"],
  GDN: ["Sopot", "Gdynia", "Tczew"],
  HAM: ["Stade", "Lüneburg", "Buxtehude"],
};
const vehiclesPerDepot = 140;
const pageMs = 40;
const dayMs = 86_400_000;

export async function startFleetService(port: number): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    answer(url, request.headers["accept-language"] ?? "en").then(
      ({ status, body }) => {
        response.writeHead(status, { "Content-Type": typeof body === "string" ? "text/plain" : "application/json" });
        response.end(typeof body === "string" ? body : JSON.stringify(body));
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(url: URL, language: string): Promise<{ status: number; body: unknown }> {
  const depots = url.searchParams.getAll("depot").toSorted();
  if (depots.includes("OLD")) return { status: 410, body: "The depot Bremen was closed, and has no vehicles." };
  const size = Number(url.searchParams.get("size"));
  const from = Number(url.searchParams.get("from") ?? 0);
  await setTimeout(pageMs);
  const all = depots.flatMap((depot) => vehiclesOf(depot));
  // Sorted by plate, which is also the default order of the report.
  all.sort((a, b) => (a.plate < b.plate ? -1 : 1));
  const vehicles = all.slice(from, from + size).map(({ town, distance, ...vehicle }) => ({
    ...vehicle,
    place: url.searchParams.get("places") === "true" ? describePlace(town, distance, language) : null,
  }));
  url.searchParams.set("from", String(from + size));
  return { status: 200, body: { vehicles, next: from + size < all.length ? url.href : null } };
}

function vehiclesOf(depot: string) {
  const today = Math.floor(Date.now() / dayMs);
  return Array.from({ length: vehiclesPerDepot }, (_, index) => {
    const daysToInspection = ((index * 53) % 380) - 12;
    const plate = `${depot}-${String.fromCharCode(65 + ((index * 7) % 26))} ${1_000 + index * 61}`;
    return {
      plate,
      depot,
      model: models[(index * 5) % models.length]!,
      odometer: 8_000 + ((index * 48_271) % 790_000),
      tank: (((index * 37) % 101) / 100).toFixed(2),
      // Electric vehicles consume no fuel.
      consumption: models[(index * 5) % models.length]!.startsWith("e")
        ? null
        : (18 + ((index * 31) % 170) / 10).toFixed(2),
      inspectionOn: new Date((today + daysToInspection) * dayMs).toISOString().slice(0, 10),
      daysToInspection,
      seenAt:
        index % 29 === 0
          ? null
          : new Date((today * 24 - ((index * 13) % 70)) * 3_600_000 + index * 61_000).toISOString(),
      trailers:
        index % 3 === 0 ? [`T-${1_000 + index}`] : index % 7 === 0 ? [`T-${2_000 + index}`, `T-${3_000 + index}`] : [],
      mapUrl: `https://maps.freight.example/?q=${encodeURIComponent(plate)}`,
      town: towns[depot]?.[index % 3] ?? depot,
      distance: ((index * 17) % 240) / 10,
    };
  });
}

function describePlace(town: string, distance: number, language: string): string {
  const kilometres = new Intl.NumberFormat(language, { minimumFractionDigits: 1 }).format(distance);
  return language.startsWith("de") ? `${kilometres} km von ${town}` : `${kilometres} km from ${town}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { url } = await startFleetService(Number(process.env["PORT"] ?? 4500));
  process.stdout.write(`The fleet service is at ${url}\n`);
}
