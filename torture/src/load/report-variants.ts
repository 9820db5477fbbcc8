import type { ReportFormat } from "@reports/core/report";
import type { SeededRandom } from "@reports/testing";
import {
  crashPoisonType,
  loopPoisonType,
  memoryPoisonType,
  poisonTypeNames,
  shardedTypeName,
  steadyType,
} from "../report-types.ts";

export interface TortureReportRequest {
  readonly reportType: string;
  readonly format: ReportFormat;
  readonly searchParam?: Readonly<Record<string, unknown>>;
  readonly compression?: "gzip" | "zstd";
  readonly columns?: readonly string[];
  readonly sort?: readonly string[];
  readonly keepRows?: boolean;
}

type FileRequest = Pick<TortureReportRequest, "format" | "columns" | "compression">;

export interface ReportVariant {
  readonly name: string;
  readonly request: TortureReportRequest;
}

// Columns that do not depend on the time of the run, unlike `daysLeft`.
const proxyColumns = ["name", "kind", "address", "port", "region", "health", "ownerTeam", "tags", "domainCount"];
const domainColumns = ["hostname", "proxyName", "status", "upstream", "tlsMode", "certIssuer", "requests24h"];
const steadyTypeName = steadyType.definition.type;

/** All formats. Their order is fixed, because the name of a variant contains its index. */
const formats = Object.keys({
  csv: true,
  ndjson: true,
  json: true,
  xlsx: true,
  pdf: true,
} satisfies Record<ReportFormat, true>) as ReportFormat[];

const requests: readonly TortureReportRequest[] = [
  ...formats.map((format) => ({ reportType: steadyTypeName, format })),
  { reportType: steadyTypeName, format: "csv", compression: "gzip" },
  ...formats.map((format) => ({ reportType: "PROXY", format, columns: proxyColumns })),
  ...formats.map((format) => ({ reportType: "PROXY_DOMAIN", format, columns: domainColumns, sort: ["hostname"] })),
  { reportType: "PROXY_DOMAIN", format: "csv", columns: domainColumns, searchParam: { tlsMode: ["ACME"] } },
  { reportType: "PROXY_DOMAIN", format: "ndjson", columns: domainColumns, compression: "zstd" },
  { reportType: "PROXY", format: "csv", columns: proxyColumns, searchParam: { q: "there is no such proxy" } },
];

export const reportVariants: readonly ReportVariant[] = requests.map((request, index) => ({
  name: `${index}:${request.reportType}.${request.format}${request.compression === undefined ? "" : `.${request.compression}`}`,
  request,
}));

export const csvVariants = reportVariants.filter(({ request }) => request.format === "csv");

export const shardedVariants: readonly ReportVariant[] = (["csv", "ndjson", "xlsx"] as const).map((format) => ({
  name: `${shardedTypeName}.${format}`,
  request: { reportType: shardedTypeName, format },
}));

export const scheduledVariant = reportVariants.find(
  ({ request: { reportType, format } }) => reportType === "PROXY" && format === "csv",
)!;

const steadyVariants = reportVariants.filter(({ request }) => request.reportType === steadyTypeName);

/** Weights of the poison types. The endless loop is the rarest, because each occupies a processor for a minute. */
const poisonWeights = [
  [memoryPoisonType.definition.type, 2],
  [crashPoisonType.definition.type, 3],
  [loopPoisonType.definition.type, 1],
] as const;

/**
 * Picks a random request. With `withPoison`, 1 % are poison pills. With `withShards`, one in six of the others reads the sharded source. At least
 * half of the rest run long enough for a fault.
 */
export function pickReportRequest(
  random: SeededRandom,
  number: number,
  { withPoison = false, withShards = false }: { readonly withPoison?: boolean; readonly withShards?: boolean },
): { readonly variant: ReportVariant | null; readonly request: TortureReportRequest } {
  // The first three requests are the three poison types. So a short run has all of them, and they end before its end.
  const poison = withPoison
    ? (poisonTypeNames[number - 1] ?? (random.chance(0.01) ? random.weighted(poisonWeights) : null))
    : null;
  if (poison !== null) return { variant: null, request: { reportType: poison, format: "csv" } };
  const variant =
    withShards && random.chance(1 / 6)
      ? random.pick(shardedVariants)
      : random.pick(random.chance(0.5) ? steadyVariants : reportVariants);
  return { variant, request: variant.request };
}

/** Returns the variants that a rendition of the report can have. They have the same rows in the same order. */
export function listPossibleRenditions({ request }: ReportVariant): readonly ReportVariant[] {
  const rowsOf = ({ reportType, searchParam, sort }: TortureReportRequest): string =>
    JSON.stringify([reportType, searchParam, sort]);
  return [...reportVariants, ...shardedVariants].filter((other) => rowsOf(other.request) === rowsOf(request));
}

export function toRenditionRequestBody({ request: { format, columns, compression } }: ReportVariant): FileRequest {
  return { format, ...(columns && { columns }), ...(compression && { compression }) };
}
