import { storedFieldNames } from "@reports/core/record";
import { downloadLinkRecord, type DownloadLinkStore, type DownloadLinkFilter } from "@reports/core/report";
import { and, count, desc, eq, gt, isNull, sql, type SQL } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";
import { selectFieldColumns } from "../relations/table-relation.ts";
import { downloadLinks } from "../schema/download-links.ts";

const visibleColumns = selectFieldColumns(downloadLinks, [
  ...storedFieldNames(downloadLinkRecord),
  "reportId",
  "fileId",
  "revokedAt",
]);
const maxListedLinks = 200;

const lockCreator = prepareStatement(
  sql`select pg_advisory_xact_lock(hashtextextended('links:' || ${sql.placeholder("createdBy")}::text, 0))`,
);

/** Compares times with the given ones (`now`, `createdAt`), and not with those of the transaction. The API gives times of Postgres's clock. */
export function createDownloadLinkStore(database: Database): DownloadLinkStore {
  return {
    create: (link, maxActive) =>
      database.transaction(async (tx) => {
        // The lock makes concurrent creates of one principal wait for each other, so that the count is exact.
        await lockCreator(tx, { createdBy: link.createdBy });
        if ((await countActive(tx, link.createdBy, link.createdAt)) >= maxActive) return false;
        await tx.insert(downloadLinks).values(link);
        return true;
      }),
    list: (links, now) =>
      database.query((queries) =>
        queries
          .select(visibleColumns)
          .from(downloadLinks)
          .where(and(matchesSelection(links), isActive(now)))
          .orderBy(desc(downloadLinks.createdAt), desc(downloadLinks.id))
          .limit(maxListedLinks),
      ),
    revoke: ({ id, ...links }, now) =>
      database.query(async (queries) => {
        const rows = await queries
          .update(downloadLinks)
          .set({ revokedAt: sql`coalesce(${downloadLinks.revokedAt}, ${now.toISOString()}::timestamptz)` })
          .where(and(eq(downloadLinks.id, id), matchesSelection(links), gt(downloadLinks.expiresAt, now)))
          .returning({ id: downloadLinks.id });
        return rows.length === 1;
      }),
    find: (tokenHash) =>
      database.query(async (queries) => {
        const [row] = await queries
          .select(visibleColumns)
          .from(downloadLinks)
          .where(eq(downloadLinks.tokenHash, tokenHash));
        return row ?? null;
      }),
  };
}

async function countActive(queries: Queries, createdBy: string, now: Date): Promise<number> {
  const [row] = await queries
    .select({ active: count() })
    .from(downloadLinks)
    .where(and(eq(downloadLinks.createdBy, createdBy), isActive(now)));
  return row!.active;
}

function isActive(now: Date): SQL | undefined {
  return and(gt(downloadLinks.expiresAt, now), isNull(downloadLinks.revokedAt));
}

function matchesSelection({ reportId, fileId, createdBy }: DownloadLinkFilter): SQL | undefined {
  return and(
    eq(downloadLinks.reportId, reportId),
    eq(downloadLinks.fileId, fileId),
    createdBy === null ? undefined : eq(downloadLinks.createdBy, createdBy),
  );
}
