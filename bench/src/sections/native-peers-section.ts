import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureAlternately, median, medianRatio } from "../measure.ts";
import { countRows, type PeerFormat } from "../peers/count-rows.ts";
import { compileNativeWriters, type NativeLanguage } from "../peers/native-writers.ts";
import { buildDomainReportQuery, psqlCopyArguments, psqlEnvironment, psqlJsonArguments } from "../peers/psql.ts";
import { measureProgramMs } from "../programs.ts";
import { formatRatio, formatSeconds, type BenchContext, type BenchSection, type ResultLine } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

interface Peer {
  readonly program: "psql" | NativeLanguage;
  readonly format: PeerFormat;
  readonly work: string;
}

type PeerName = keyof typeof peers;

const peers = {
  "psql csv": { program: "psql", format: "csv", work: "`psql \\copy` of the query as csv" },
  "Rust csv": { program: "rust", format: "csv", work: "the bytes of COPY to a file, with the crate postgres" },
  "Go csv": { program: "go", format: "csv", work: "the bytes of COPY to a file, with pgx" },
  "psql json": { program: "psql", format: "json", work: "`psql \\copy` of `row_to_json`, one object per line" },
  "Rust json": { program: "rust", format: "json", work: "COPY to an array of objects, with serde_json" },
  "Rust xlsx": { program: "rust", format: "xlsx", work: "COPY to typed cells, with rust_xlsxwriter" },
  "Go xlsx": { program: "go", format: "xlsx", work: "a query to typed cells, with pgx and excelize" },
  "Go pdf": { program: "go", format: "pdf", work: "a query to a table of all columns, with pgx and fpdf" },
} satisfies Record<string, Peer>;

/** Comparisons of a report with a peer. The goal is the maximum time of the service in multiples of the peer's. */
const comparisons: readonly { readonly format: PeerFormat; readonly peer: PeerName; readonly goal?: number }[] = [
  { format: "csv", peer: "psql csv" },
  { format: "csv", peer: "Rust csv", goal: 1.05 },
  { format: "csv", peer: "Go csv" },
  { format: "json", peer: "psql csv", goal: 1.3 },
  { format: "json", peer: "psql json" },
  { format: "json", peer: "Rust json" },
  { format: "xlsx", peer: "psql csv", goal: 1.7 },
  { format: "xlsx", peer: "Rust xlsx" },
  { format: "xlsx", peer: "Go xlsx" },
  { format: "pdf", peer: "Go pdf" },
];

/** fpdf keeps all pages in memory. */
const maxPdfRows = 100_000;
const font = fileURLToPath(import.meta.resolve("@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf"));

export const nativePeersSection: BenchSection = {
  name: "peers",
  title: "Files compared with native programs",
  async run(context) {
    const writers = {
      rust: await compileNativeWriters("rust", context.dataFolder),
      go: await compileNativeWriters("go", context.dataFolder),
    };
    const rows = await measureFormats(["csv", "json", "xlsx"], context.domains, writers, context);
    const pdf = await measureFormats(["pdf"], Math.min(context.domains, maxPdfRows), writers, context);
    return [...rows, ...pdf];
  },
};

async function measureFormats(
  formats: readonly PeerFormat[],
  domains: number,
  writers: Readonly<Record<NativeLanguage, string | null>>,
  { server, rounds, folder }: BenchContext,
): Promise<ResultLine[]> {
  const databaseUrl = await server.database(domains);
  const query = await buildDomainReportQuery(databaseUrl);
  const queryFile = join(folder, "query.sql");
  await writeFile(queryFile, query);
  await using service = await startBenchService(databaseUrl);
  let expectedRows: number | null = null;
  const report = (format: PeerFormat) => async (): Promise<number> => {
    const { ms, report } = await service.run({ reportType: "PROXY_DOMAIN", format });
    expectedRows = report.rowCount;
    return ms;
  };
  const commandOf = ({ program, format }: Peer, path: string): readonly [string, readonly string[]] => {
    if (program !== "psql") return [writers[program]!, [format, databaseUrl, queryFile, path, font]];
    const argumentsOf = format === "json" ? psqlJsonArguments : psqlCopyArguments;
    return ["psql", argumentsOf(databaseUrl, query, path)];
  };
  const write = (peer: Peer) => async (): Promise<number> => {
    const path = join(folder, `${peer.program}.${peer.format}`);
    const ms = await measureProgramMs(...commandOf(peer, path), psqlEnvironment);
    const rows = await countRows(peer.format, path);
    if (rows !== expectedRows) throw new Error(`${path} has ${rows} rows instead of ${expectedRows}.`);
    // Deleted while most of it is in memory, so that writing it to the disk slows down nobody.
    await rm(path);
    return ms;
  };
  const isMeasured = ({ program }: Peer): boolean => program === "psql" || writers[program] !== null;
  const ways = formats.flatMap((format) => [
    [format, report(format)] as const,
    ...Object.entries<Peer>(peers)
      .filter(([, peer]) => peer.format === format && isMeasured(peer))
      .map(([name, peer]) => [name, write(peer)] as const),
  ]);
  const seen: Readonly<Record<string, readonly number[]>> = await measureAlternately(Object.fromEntries(ways), rounds);

  return comparisons
    .filter(({ format }) => formats.includes(format))
    .map(({ format, peer, goal }): ResultLine => {
      const [ours, theirs] = [seen[format]!, seen[peer]];
      const expected = {
        work: `${format}, ${domains.toLocaleString("en")} rows, compared with ${peer}`,
        goal: goal === undefined ? "–" : `service ≤ ${goal} × peer`,
      };
      if (theirs === undefined)
        return { ...expected, seen: "not measured", compared: `This machine lacks the compiler of the peer` };
      return {
        ...expected,
        seen: `peer ${formatRatio(medianRatio(theirs, ours))} service`,
        ...(goal !== undefined && { met: medianRatio(ours, theirs) <= goal }),
        compared: `${formatSeconds(median(ours))} from request to stored file; ${peer} ${formatSeconds(median(theirs))}: ${peers[peer].work}`,
      };
    });
}
