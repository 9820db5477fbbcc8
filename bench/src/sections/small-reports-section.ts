import { measureAlternately, quantile } from "../measure.ts";
import type { BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

const rowCount = 1_000;
const perRound = 10;
const goalMs = 60;

export const smallReportsSection: BenchSection = {
  name: "small",
  title: "Small reports",
  async run({ server, rounds }) {
    await using service = await startBenchService(await server.database(rowCount));
    const report = (format: string) => async (): Promise<number> =>
      (await service.run({ reportType: "PROXY_DOMAIN", format })).ms;
    const seen = await measureAlternately(
      { csv: report("csv"), ndjson: report("ndjson"), json: report("json"), xlsx: report("xlsx"), pdf: report("pdf") },
      rounds * perRound,
      { warmUp: true },
    );
    return Object.entries(seen).map(([format, values]) => {
      const p50 = quantile(values, 0.5);
      return {
        work: `${format}, ${rowCount.toLocaleString("en")} rows, request to file ready`,
        goal: `p50 ≤ ${goalMs} ms`,
        seen: `${Math.round(p50)} ms`,
        met: p50 <= goalMs,
        compared: `${values.length} reports through the API, one after another; p95 ${Math.round(quantile(values, 0.95))} ms`,
      };
    });
  },
};
