import { initialProgress, type Claim, type ClaimTerms, type Report } from "@reports/core/report";
import type { Database } from "../database/database.ts";
import { claimRows, readOpenReports, type ClaimedRow, type OpenReport } from "./attempt-statements.ts";
import type { Together } from "./gather-writes.ts";
import { toReport } from "./report-row.ts";
import { refuseClaim } from "./requeues.ts";

export interface ClaimRequest {
  readonly id: string;
  readonly terms: ClaimTerms;
}

/** Returns the function that claims a report of a worker. It tries again if the report changed after it was read. */
export function claimAlone(database: Database, actor: string) {
  return async ({ id, terms }: ClaimRequest): Promise<Claim> => {
    for (;;) {
      const [seen] = await database.query((queries) => readOpenReports(queries, [id]));
      if (seen === undefined) return { kind: "closed" };
      const report = toReport(seen);
      if (terms.refusalOf(report, seen) !== null) {
        const refused = await database.transaction(async (tx) => refuseClaim(tx, id, { ...terms, actor }));
        if (refused !== null) return refused;
      }
      if (!seen.isClaimable) return { kind: "held" };
      const { workerId, leaseMs } = terms;
      const [row] = await database.query((queries) =>
        claimRows(queries, "wait", [toAskedClaim(seen)], { workerId, leaseMs, actor }),
      );
      if (row !== undefined) return toClaim(report, row);
    }
  };
}

/** Returns the function that claims several reports of a worker with two statements. Refused, changed and locked reports must be claimed alone, and so must a report that is requested twice. */
export function claimTogether(database: Database, actor: string): Together<ClaimRequest, Claim> {
  return async (requests) => {
    const ids = requests.map(({ id }) => id);
    const rows = await database.query((queries) => readOpenReports(queries, ids));
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
            claimRows(queries, "skip", claims.map(toAskedClaim), { workerId, leaseMs, actor }),
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

function toAskedClaim({ id, status, revision, claimBefore }: OpenReport) {
  return { id, was: status, revision, claimBefore };
}

/** Returns the claimed report. It uses only the result of the claim, because another query could fail after the claim. */
function toClaim(seen: Report, row: ClaimedRow): Claim {
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
