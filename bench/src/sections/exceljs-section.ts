import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { measureAlternately, median, medianRatio } from "../measure.ts";
import { buildDomainReportQuery } from "../peers/psql.ts";
import { measureProgramMs } from "../programs.ts";
import { formatSeconds, formatRatio, type BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

const peer = join(import.meta.dirname, "../peers/exceljs-stream.ts");

export const exceljsSection: BenchSection = {
  name: "exceljs",
  title: "xlsx compared with exceljs",
  async run({ server, rounds, domains, folder }) {
    const databaseUrl = await server.database(domains);
    const query = join(folder, "query.sql");
    await writeFile(query, await buildDomainReportQuery(databaseUrl));
    await using service = await startBenchService(databaseUrl);
    const seen = await measureAlternately(
      {
        exceljs: async () =>
          measureProgramMs(process.execPath, [peer, databaseUrl, query, join(folder, "exceljs.xlsx")]),
        xlsx: async () => (await service.run({ reportType: "PROXY_DOMAIN", format: "xlsx" })).ms,
      },
      rounds,
    );
    const faster = medianRatio(seen.exceljs, seen.xlsx);
    return [
      {
        work: `xlsx, ${domains.toLocaleString("en")} rows, compared with exceljs`,
        goal: "≥ 7 × as fast",
        seen: formatRatio(faster),
        met: faster >= 7,
        compared: `${formatSeconds(median(seen.xlsx))}. With exceljs, streaming from a cursor, ${formatSeconds(median(seen.exceljs))}`,
      },
    ];
  },
};
