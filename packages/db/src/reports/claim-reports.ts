import { initialProgress, type Claim, type ClaimTerms, type Report } from "@reports/core/report";
import type { Database } from "../database/database.ts";
import {
  claimReportRows,
  readUnfinishedReports,
  type ClaimedReportRow,
  type UnfinishedReport,
} from "./attempt-statements.ts";
import type { BatchWriter } from "./create-write-batcher.ts";
import { toReport } from "./report-row.ts";
import { requeueIfNotServed } from "./requeues.ts";

export interface ClaimRequest {
  readonly id: string;
  readonly terms: ClaimTerms;
}

export function createSingleClaimWriter(database: Database, actor: string) {
  return async ({ id, terms }: ClaimRequest): Promise<Claim> => {
    for (;;) {
      const [seen] = await database.query((queries) => readUnfinishedReports(queries, [id]));
      if (seen === undefined) return { kind: "closed" };
      const report = toReport(seen);
      if (terms.refusalOf(report, seen) !== null) {
        const refused = await database.transaction(async (tx) => requeueIfNotServed(tx, id, { ...terms, actor }));
        if (refused !== null) return refused;
      }
      if (!seen.isClaimable) return { kind: "held" };
      const { workerId, leaseMs } = terms;
      const [row] = await database.query((queries) =>
        claimReportRows(queries, "wait", [toRequestedClaim(seen)], { workerId, leaseMs, actor }),
      );
      if (row !== undefined) return toClaim(report, row);
    }
  };
}

/** Claims several reports with two statements. The result is null for a report that must be claimed alone: refused, changed, locked or repeated. */
export function createBatchClaimWriter(database: Database, actor: string): BatchWriter<ClaimRequest, Claim> {
  return async (requests) => {
    const ids = requests.map(({ id }) => id);
    const rows = await database.query((queries) => readUnfinishedReports(queries, ids));
    const seen = new Map(rows.map((row) => [row.id, { row, report: toReport(row) }]));
    const isServed = ({ id, terms }: ClaimRequest): boolean => {
      const found = seen.get(id);
      return found !== undefined && terms.refusalOf(found.report, found.row) === null;
    };
    const served = new Map(requests.filter(isServed).map((request) => [request.id, request]));
    const claims = [...served.keys()].map((id) => seen.get(id)!.row).filter(({ isClaimable }) => isClaimable);
    const { workerId, leaseMs } = requests[0]!.terms;
    const claimed =
      claims.length === 0
        ? []
        : await database.query((queries) =>
            claimReportRows(queries, "skip", claims.map(toRequestedClaim), { workerId, leaseMs, actor }),
          );
    const claimedById = new Map(claimed.map((row) => [row.id, row]));
    return requests.map((request) => {
      const { id } = request;
      const found = seen.get(id);
      if (found === undefined) return { kind: "closed" };
      if (served.get(id) !== request) return null;
      if (!found.row.isClaimable) return { kind: "held" };
      const row = claimedById.get(id);
      return row === undefined ? null : toClaim(found.report, row);
    });
  };
}

function toRequestedClaim({ id, status, revision, claimBefore }: UnfinishedReport) {
  return { id, was: status, revision, claimBefore };
}

/** Builds the report from the rows already read. A further query could fail, and the worker would not run a report that it has claimed. */
function toClaim(seen: Report, row: ClaimedReportRow): Claim {
  const { attempt, startedAt, updatedAt, revision, lane, losses, failures, maxFailures, isRequesterAllowed } = row;
  const report: Report = {
    ...seen,
    status: "RUNNING",
    attempt,
    startedAt,
    updatedAt,
    revision,
    progress: initialProgress,
  };
  const past = { lane, losses, failures, maxFailures };
  const requeues = { count: row.requeues, waitedMs: row.waitedMs, isServedElsewhere: false };
  return { kind: "claimed", report, past, requeues, isRequesterAllowed };
}
