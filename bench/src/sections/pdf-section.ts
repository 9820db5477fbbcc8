import { join } from "node:path";
import { measureAlternately, median, medianRatio } from "../measure.ts";
import { buildDomainReportQuery, psqlEnvironment } from "../peers/psql.ts";
import { runProgram, measureProgramMs } from "../programs.ts";
import { formatMegabytes, formatSeconds, formatRatio, type BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

const peerScriptOf = (name: string): string => join(import.meta.dirname, `../peers/${name}-table.ts`);
/** Allows Node a large heap. pdfkit keeps all pages in memory until the end: 5.6 GB for these rows. */
const heapOption = "--max-old-space-size=12288";
const rowCount = 100_000;
const pdfmakeRows = 10_000;

export const pdfSection: BenchSection = {
  name: "pdf",
  title: "Large pdfs compared with pdfkit",
  async run({ server, rounds, folder }) {
    const databaseUrl = await server.database(rowCount);
    const query = await buildDomainReportQuery(databaseUrl);
    const tsv = join(folder, "rows.tsv");
    const fewTsv = join(folder, "few-rows.tsv");
    const copy = async (text: string, path: string): Promise<string> =>
      runProgram("psql", ["-X", "-q", databaseUrl, "-c", String.raw`\copy (${text}) to '${path}'`], psqlEnvironment);
    await copy(query, tsv);
    await copy(`${query} limit ${pdfmakeRows}`, fewTsv);
    await using service = await startBenchService(databaseUrl);
    const report = async (): Promise<number> => (await service.run({ reportType: "PROXY_DOMAIN", format: "pdf" })).ms;
    const peer = (name: string, rows: string) => async (): Promise<number> =>
      measureProgramMs(process.execPath, [heapOption, peerScriptOf(name), rows, join(folder, `${name}.pdf`)]);
    const ways = { pdf: report, pdfkit: peer("pdfkit", tsv), pdfmake: peer("pdfmake", fewTsv) };
    const seen = await measureAlternately(ways, rounds);
    const { renderer } = service.workerMemoryMb();
    const faster = medianRatio(seen.pdfkit, seen.pdf);
    return [
      {
        work: `pdf, ${rowCount.toLocaleString("en")} rows, compared with pdfkit`,
        goal: "≥ 10 × as fast",
        seen: formatRatio(faster),
        met: faster >= 10,
        compared: `${formatSeconds(median(seen.pdf))} from request to stored file, query, cover and charts included. With pdfkit ${formatSeconds(median(seen.pdfkit))} for the table only, with its rows in a file. With pdfmake ${formatSeconds(median(seen.pdfmake))} for ${pdfmakeRows.toLocaleString("en")} of these rows`,
      },
      {
        work: `pdf, ${rowCount.toLocaleString("en")} rows, memory of the renderer`,
        goal: "≤ 250 MB",
        seen: formatMegabytes(renderer),
        met: renderer <= 250,
        compared: "peak RSS of the renderer process",
      },
    ];
  },
};
