import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { interleave, median, ratio } from "../measure.ts";
import { seconds, times, type BenchContext, type Line, type Section } from "../section.ts";
import { startService } from "../service.ts";

const reportType = "PROXY_DOMAIN";
const mebibyte = 1024 ** 2;

/** The cost of a row snapshot, and of a rendition compared with a separate report. */
export const keptRows: Section = {
  name: "kept-rows",
  title: "Rows that are kept, and further files",
  async run({ server, rounds, domains }: BenchContext): Promise<Line[]> {
    const databaseUrl = await server.database(domains);
    await using service = await startService(databaseUrl);
    const report =
      (format: string, options = {}) =>
      async (): Promise<number> =>
        (await service.run({ reportType, format, ...options })).ms;
    const kept = await service.run({ reportType, format: "csv", keepRows: true }, { keep: true });
    const further = (format: string) => async (): Promise<number> => service.runFile(kept.report.id, { format });
    const rowsBytes = await largestOf(service.filesFolder, "rows.zst");
    const seen = await interleave(
      {
        csv: report("csv"),
        "csv with keepRows": report("csv", { keepRows: true }),
        "a further csv": further("csv"),
        xlsx: report("xlsx"),
        "a further xlsx": further("xlsx"),
      },
      rounds,
    );
    const count = domains.toLocaleString("en");
    const furtherLine = (format: "csv" | "xlsx"): Line => ({
      work: `a further ${format} of ${count} kept rows`,
      goal: "–",
      seen: `${times(ratio(seen[`a further ${format}`], seen[format]))} a report of its own`,
      compared: `${seconds(median(seen[`a further ${format}`]))} from request to stored file; a ${format} report of the same rows ${seconds(median(seen[format]))}`,
    });
    return [
      {
        work: `csv that keeps its ${count} rows`,
        goal: "–",
        seen: `${times(ratio(seen["csv with keepRows"], seen.csv))} one that does not`,
        compared: `${seconds(median(seen["csv with keepRows"]))}, summary included, and ${seconds(median(seen.csv))} from request to stored file; the rows take ${Math.round(rowsBytes / mebibyte)} MiB next to a file of ${Math.round(kept.report.file!.size / mebibyte)} MiB`,
      },
      furtherLine("csv"),
      furtherLine("xlsx"),
    ];
  },
};

async function largestOf(folder: string, extension: string): Promise<number> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(extension));
  return Math.max(0, ...(await Promise.all(paths.map(async (path) => (await stat(join(folder, path))).size))));
}
