import { join } from "node:path";
import { measureAlternately, median, medianRatio } from "../measure.ts";
import { buildDomainReportQuery, psqlCopyArguments, psqlEnvironment } from "../peers/psql.ts";
import { measureProgramMs, readProcessTreeProcessorMs } from "../programs.ts";
import { formatSeconds, formatRatio, type ResultLine, type BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

export const largeRowFilesSection: BenchSection = {
  name: "streams",
  title: "Large files of rows",
  async run({ server, rounds, domains, folder }) {
    const databaseUrl = await server.database(domains);
    const query = await buildDomainReportQuery(databaseUrl);
    const path = (name: string): string => join(folder, name);
    await using service = await startBenchService(databaseUrl);
    const postgresPid = server.postgres.pid;
    const processor: Record<string, { readonly renderer: number; readonly postgres: number }[]> = {};
    const used = () => ({ renderer: service.rendererMs(), postgres: readProcessTreeProcessorMs(postgresPid) });
    const report =
      (format: string, compression = "none") =>
      async (): Promise<number> => {
        const before = used();
        const { ms } = await service.run({ reportType: "PROXY_DOMAIN", format, compression });
        const name = compression === "none" ? format : `${format}.${compression === "gzip" ? "gz" : "zst"}`;
        const after = used();
        (processor[name] ??= []).push({
          renderer: after.renderer - before.renderer,
          postgres: after.postgres - before.postgres,
        });
        return ms;
      };
    const csvCopy = psqlCopyArguments(databaseUrl, query, path("psql.csv"));
    const gzip = `psql "$1" -X -q -c "\\\\copy ($2) to stdout (format csv)" | gzip -1 > "$3"`;
    const gzipped = ["-o", "pipefail", "-c", gzip, "bash", databaseUrl, query, path("psql.csv.gz")];
    const seen = await measureAlternately(
      {
        psql: async () => measureProgramMs("psql", csvCopy, psqlEnvironment),
        csv: report("csv"),
        "psql | gzip -1": async () => measureProgramMs("bash", gzipped, psqlEnvironment),
        "csv.gz": report("csv", "gzip"),
        "csv.zst": report("csv", "zstd"),
        ndjson: report("ndjson"),
        json: report("json"),
        xlsx: report("xlsx"),
      },
      rounds,
    );
    const line = (
      name: "csv" | "csv.gz" | "csv.zst" | "ndjson" | "json" | "xlsx",
      base: "psql" | "psql | gzip -1",
      goal?: number,
    ): ResultLine => {
      const found = medianRatio(seen[name], seen[base]);
      const processorTime = (of: "renderer" | "postgres"): string =>
        formatSeconds(median(processor[name]!.map((each) => each[of])));
      return {
        work: `${name}, ${domains.toLocaleString("en")} rows`,
        goal: goal === undefined ? "–" : `≤ ${goal} ×`,
        seen: formatRatio(found),
        ...(goal !== undefined && { met: found <= goal }),
        compared: `${formatSeconds(median(seen[name]))} from request to stored file, processor time ${processorTime("renderer")} of the renderer and ${processorTime("postgres")} of Postgres; ${base === "psql" ? "`psql \\copy`" : "`psql \\copy … | gzip -1`"} ${formatSeconds(median(seen[base]))}`,
      };
    };
    return [
      line("csv", "psql", 1.05),
      line("csv.gz", "psql | gzip -1", 1.2),
      line("csv.zst", "psql | gzip -1"),
      line("ndjson", "psql", 1.25),
      line("json", "psql", 1.3),
      line("xlsx", "psql", 1.7),
    ];
  },
};
