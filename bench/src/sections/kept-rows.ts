import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { measureAlternately, median, medianRatio } from "../measure.ts";
import { formatSeconds, formatRatio, type ResultLine, type BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

const reportType = "PROXY_DOMAIN";
const mebibyte = 1024 ** 2;

export const rowSnapshotSection: BenchSection = {
  name: "kept-rows",
  title: "Row snapshots and additional formats",
  async run({ server, rounds, domains }) {
    const databaseUrl = await server.database(domains);
    await using service = await startBenchService(databaseUrl);
    const report =
      (format: string, options = {}) =>
      async (): Promise<number> =>
        (await service.run({ reportType, format, ...options })).ms;
    const kept = await service.run({ reportType, format: "csv", keepRows: true }, { keep: true });
    const rendition = (format: string) => async (): Promise<number> => service.runFile(kept.report.id, { format });
    const rowsBytes = await largestOf(service.filesFolder, "rows.zst");
    const seen = await measureAlternately(
      {
        csv: report("csv"),
        "csv with keepRows": report("csv", { keepRows: true }),
        "an additional csv": rendition("csv"),
        xlsx: report("xlsx"),
        "an additional xlsx": rendition("xlsx"),
      },
      rounds,
    );
    const count = domains.toLocaleString("en");
    const renditionLine = (format: "csv" | "xlsx"): ResultLine => ({
      work: `an additional ${format} file from a snapshot of ${count} rows`,
      goal: "–",
      seen: `${formatRatio(medianRatio(seen[`an additional ${format}`], seen[format]))} the time of a separate report`,
      compared: `${formatSeconds(median(seen[`an additional ${format}`]))} from request to stored file; a ${format} report of the same rows ${formatSeconds(median(seen[format]))}`,
    });
    return [
      {
        work: `csv with a snapshot of its ${count} rows`,
        goal: "–",
        seen: `${formatRatio(medianRatio(seen["csv with keepRows"], seen.csv))} the time without a snapshot`,
        compared: `${formatSeconds(median(seen["csv with keepRows"]))}, summary included, and ${formatSeconds(median(seen.csv))} from request to stored file; the rows take ${Math.round(rowsBytes / mebibyte)} MiB next to a file of ${Math.round(kept.report.file!.size / mebibyte)} MiB`,
      },
      renditionLine("csv"),
      renditionLine("xlsx"),
    ];
  },
};

async function largestOf(folder: string, extension: string): Promise<number> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(extension));
  return Math.max(0, ...(await Promise.all(paths.map(async (path) => (await stat(join(folder, path))).size))));
}
