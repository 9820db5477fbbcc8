import { once } from "node:events";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { createServer, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { listenOnLoopback } from "@reports/testing";
import { measureAlternately, median, medianRatio } from "../measure.ts";
import { readResidentMemoryMebibytes } from "../programs.ts";
import { formatMegabytes, formatRatio, type BenchSection } from "../bench-section.ts";
import { startBenchService, type BenchReport, type BenchService } from "../bench-service.ts";

const slowClients = 20;
const slowBytesPerSecond = 512 * 1024;
const slowMs = 10_000;

export const downloadsSection: BenchSection = {
  name: "downloads",
  title: "Downloads",
  async run({ server, rounds, domains }) {
    await using service = await startBenchService(await server.database(5 * domains));
    const columns = ["hostname", "hostnameAscii", "proxyName", "upstream", "certIssuer", "certNotAfter", "issues"];
    const { report } = await service.run(
      { reportType: "PROXY_DOMAIN", format: "csv", columns, sort: ["hostname"] },
      { keep: true },
    );
    const path = await storedFile(service, report);
    const { size } = await stat(path);
    const plainServer = createServer((_, response) => createReadStream(path).pipe(response));
    await using plain = await listenOnLoopback(plainServer);
    const url = `${service.origin}/v1/report/download?reportType=PROXY_DOMAIN&id=${report.id}`;
    const seen = await measureAlternately(
      {
        plain: async () => download(plain.origin, {}, size),
        service: async () => download(url, service.headers, size),
      },
      rounds,
      { warmUp: true },
    );
    const speed = medianRatio(seen.plain, seen.service);
    const rate = (ms: number): string => `${Math.round(size / 1e6 / (ms / 1000))} MB/s`;
    const grownMb = await growthUnderSlowClients(service, url);
    return [
      {
        work: `download of ${(size / 1e9).toFixed(2)} GB`,
        goal: "≥ 0.6 × a plain stream",
        seen: formatRatio(speed),
        met: speed >= 0.6,
        compared: `${rate(median(seen.service))}; \`createReadStream(file).pipe(response)\` of a bare Node server, same client, ${rate(median(seen.plain))}`,
      },
      {
        work: `memory of the API with ${slowClients} slow downloads`,
        goal: "+ ≤ 50 MB",
        seen: `${grownMb < 0 ? "−" : "+"}${formatMegabytes(Math.abs(grownMb))}`,
        met: grownMb <= 50,
        compared: `growth of the RSS while ${slowClients} clients read ${slowBytesPerSecond / 1024} KB/s each for ${slowMs / 1000} s`,
      },
    ];
  },
};

async function storedFile(service: BenchService, report: BenchReport): Promise<string> {
  const folder = join(service.filesFolder, "reports", report.id);
  const [name = ""] = await readdir(folder);
  return join(folder, name);
}

async function download(url: string, headers: Readonly<Record<string, string>>, size: number): Promise<number> {
  const startedAt = performance.now();
  const response = await open(url, headers);
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  if (bytes !== size) throw new Error(`${url} returned ${bytes} of ${size} bytes.`);
  return performance.now() - startedAt;
}

async function open(url: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const request = get(url, { headers, agent: false });
  // An error after the response began ends the reading of the response.
  request.on("error", () => undefined);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url} returned ${response.statusCode}.`);
  return response;
}

async function growthUnderSlowClients(service: BenchService, url: string): Promise<number> {
  const before = readResidentMemoryMebibytes(service.apiPid);
  const clients = await Promise.all(Array.from({ length: slowClients }, async () => open(url, service.headers)));
  const reading = clients.map(readSlowly);
  let largest = before;
  const endsAt = performance.now() + slowMs;
  while (performance.now() < endsAt) {
    await delay(200);
    largest = Math.max(largest, readResidentMemoryMebibytes(service.apiPid));
  }
  for (const client of clients) client.destroy();
  await Promise.all(reading);
  return largest - before;
}

async function readSlowly(response: IncomingMessage): Promise<void> {
  try {
    for await (const chunk of response) await delay(((chunk as Buffer).length / slowBytesPerSecond) * 1000);
  } catch {
    // This error is expected, because the section destroys the response to end the download.
  }
}
