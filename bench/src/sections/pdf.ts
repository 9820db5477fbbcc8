import { join } from "node:path";
import { interleave, median, ratio } from "../measure.ts";
import { domainReportQuery, psqlEnvironment } from "../peers/psql.ts";
import { runProgram, timeProgram } from "../programs.ts";
import { megabytes, seconds, times, type BenchContext, type Line, type Section } from "../section.ts";
import { startService } from "../service.ts";

const peer = (name: string): string => join(import.meta.dirname, `../peers/${name}-table.ts`);
/** Node's option for a large heap. pdfkit keeps all pages in memory until the end, which is 5.6 GB for these rows. */
const heap = "--max-old-space-size=12288";
const rows = 100_000;
const pdfmakeRows = 10_000;

/** Compares a pdf of many rows with pdfkit and pdfmake, which read the rows from a file. */
export const pdf: Section = {
  name: "pdf",
  title: "Large pdfs compared with pdfkit",
  async run({ server, rounds, folder }: BenchContext): Promise<Line[]> {
    const databaseUrl = await server.database(rows);
    const query = await domainReportQuery(databaseUrl);
    const tsv = join(folder, "rows.tsv");
    const fewTsv = join(folder, "few-rows.tsv");
    const copy = (text: string, path: string): string[] => [
      "-X",
      "-q",
      databaseUrl,
      "-c",
      String.raw`\copy (${text}) to '${path}'`,
    ];
    await runProgram("psql", copy(query, tsv), psqlEnvironment);
    await runProgram("psql", copy(`${query} limit ${pdfmakeRows}`, fewTsv), psqlEnvironment);
    await using service = await startService(databaseUrl);
    const report = async (): Promise<number> => (await service.run({ reportType: "PROXY_DOMAIN", format: "pdf" })).ms;
    const seen = await interleave(
      {
        pdf: report,
        pdfkit: async () => timeProgram(process.execPath, [heap, peer("pdfkit"), tsv, join(folder, "pdfkit.pdf")]),
        pdfmake: async () =>
          timeProgram(process.execPath, [heap, peer("pdfmake"), fewTsv, join(folder, "pdfmake.pdf")]),
      },
      rounds,
    );
    const { renderer } = service.workerMemoryMb();
    const faster = ratio(seen.pdfkit, seen.pdf);
    return [
      {
        work: `pdf, ${rows.toLocaleString("en")} rows, compared with pdfkit`,
        goal: "≥ 10 × as fast",
        seen: times(faster),
        met: faster >= 10,
        compared: `${seconds(median(seen.pdf))} from request to stored file, query, cover and charts included. With pdfkit ${seconds(median(seen.pdfkit))} for the table only, with its rows in a file. With pdfmake ${seconds(median(seen.pdfmake))} for ${pdfmakeRows.toLocaleString("en")} of these rows`,
      },
      {
        work: `pdf, ${rows.toLocaleString("en")} rows, memory of the renderer`,
        goal: "≤ 250 MB",
        seen: megabytes(renderer),
        met: renderer <= 250,
        compared: "peak RSS of the renderer process",
      },
    ];
  },
};
