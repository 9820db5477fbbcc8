import type { ReportFormat } from "@reports/core/report";
import type { Random } from "@reports/testing";
import { crashPoison, loopPoison, memoryPoison, poisonTypes, shardedType, steadyType } from "../report-types.ts";

/** The body of a start. */
export interface ReportRequest {
  readonly reportType: string;
  readonly format: ReportFormat;
  readonly searchParam?: Readonly<Record<string, unknown>>;
  readonly compression?: "gzip" | "zstd";
  readonly columns?: readonly string[];
  readonly sort?: readonly string[];
  readonly keepRows?: boolean;
}

/** The body that asks for a further file. */
type FileRequest = Pick<ReportRequest, "format" | "columns" | "compression">;

/** A request whose file is known from an undisturbed run. */
export interface Variant {
  readonly name: string;
  readonly request: ReportRequest;
}

// Nothing that depends on the time of the run: no days left, no severity, no issues.
const proxyColumns = ["name", "kind", "address", "port", "region", "health", "ownerTeam", "tags", "domainCount"];
const domainColumns = ["hostname", "proxyName", "status", "upstream", "tlsMode", "certIssuer", "requests24h"];
const steady = steadyType.definition.type;

/** In the order in which they stand in the names of variants. */
const formats = Object.keys({
  csv: true,
  ndjson: true,
  json: true,
  xlsx: true,
  pdf: true,
} satisfies Record<ReportFormat, true>) as ReportFormat[];

const requests: readonly ReportRequest[] = [
  ...formats.map((format) => ({ reportType: steady, format })),
  { reportType: steady, format: "csv", compression: "gzip" },
  ...formats.map((format) => ({
    reportType: "PROXY",
    format,
    columns: proxyColumns,
  })),
  ...formats.map((format) => ({
    reportType: "PROXY_DOMAIN",
    format,
    columns: domainColumns,
    sort: ["hostname"],
  })),
  { reportType: "PROXY_DOMAIN", format: "csv", columns: domainColumns, searchParam: { tlsMode: ["ACME"] } },
  { reportType: "PROXY_DOMAIN", format: "ndjson", columns: domainColumns, compression: "zstd" },
  { reportType: "PROXY", format: "csv", columns: proxyColumns, searchParam: { q: "there is no such proxy" } },
];

/** All types and formats, filters, compressions, and one without rows. */
export const variants: readonly Variant[] = requests.map((request, index) => ({
  name: `${index}:${request.reportType}.${request.format}${request.compression === undefined ? "" : `.${request.compression}`}`,
  request,
}));

/** Reports of the sharded source, for stands that have one. */
export const shardedVariants: readonly Variant[] = (["csv", "ndjson", "xlsx"] as const).map((format) => ({
  name: `${shardedType}.${format}`,
  request: { reportType: shardedType, format },
}));

/** What every schedule of a run starts. */
export const scheduledVariant = variants.find(
  ({ request: { reportType, format } }) => reportType === "PROXY" && format === "csv",
)!;

const steadyVariants = variants.filter(({ request }) => request.reportType === steady);

/** An endless loop takes a processor for a whole minute: it is the rarest of them, so that long runs do not wait for loops only. */
const poisonWeights = [
  [memoryPoison.definition.type, 2],
  [crashPoison.definition.type, 3],
  [loopPoison.definition.type, 1],
] as const;

/** One in a hundred is poison; half of the others last long enough to be hit. With a sharded source one in six is of it. */
export function pickRequest(
  random: Random,
  number: number,
  { withPoison, withShards = false }: { readonly withPoison: boolean; readonly withShards?: boolean | undefined },
): { readonly variant: Variant | null; readonly request: ReportRequest } {
  // The first three are one of each poison, so that a short run has them too, and early enough to see them end.
  const poison = withPoison
    ? (poisonTypes[number - 1] ?? (random.chance(0.01) ? random.weighted(poisonWeights) : null))
    : null;
  if (poison !== null) return { variant: null, request: { reportType: poison, format: "csv" } };
  const variant =
    withShards && random.chance(1 / 6)
      ? random.pick(shardedVariants)
      : random.pick(random.chance(0.5) ? steadyVariants : variants);
  return { variant, request: variant.request };
}

/** The variants that a further file of a report of this one can be: of the same rows in the same order. */
export function furtherFilesOf({ request }: Variant): readonly Variant[] {
  const rowsOf = ({ reportType, searchParam, sort }: ReportRequest): string =>
    JSON.stringify([reportType, searchParam, sort]);
  return [...variants, ...shardedVariants].filter((other) => rowsOf(other.request) === rowsOf(request));
}

/** What asks for a file of this variant. */
export function fileRequestOf({ request: { format, columns, compression } }: Variant): FileRequest {
  return { format, ...(columns && { columns }), ...(compression && { compression }) };
}
