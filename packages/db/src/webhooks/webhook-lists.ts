import { deliveryFilters, type WebhookLists } from "@reports/core/webhook";
import { and, eq } from "drizzle-orm";
import { listOwnedRecords } from "../collections/owned-store.ts";
import type { ListConnectionPool } from "../database/list-connection-pool.ts";
import { readListPage } from "../relations/list-page.ts";
import { createTableRelation } from "../relations/table-relation.ts";
import { webhookDeliveries } from "../schema/webhooks.ts";
import { isVisibleDelivery } from "./delivery-visibility-filter.ts";
import { deliveryColumns, storedDeliveryColumns, webhookTableMapping } from "./webhook-row.ts";

const deliveriesRelation = createTableRelation(webhookDeliveries, storedDeliveryColumns);

export function createWebhookLists(lists: Pick<ListConnectionPool, "read">): WebhookLists {
  return {
    webhooks: (query, signal) =>
      lists.read(async (queries) => listOwnedRecords(queries, webhookTableMapping, query), signal),
    deliveries: ({ webhookId, visible, ...query }, signal) =>
      lists.read(
        async (queries) =>
          readListPage(
            queries,
            {
              relation: deliveriesRelation,
              filters: deliveryFilters,
              within: and(eq(webhookDeliveries.webhookId, webhookId), isVisibleDelivery(visible)),
              rows: async ({ page, id, orderBy, keyset }) =>
                queries
                  .select({ row: deliveryColumns, keyset })
                  .from(webhookDeliveries)
                  .innerJoin(page, eq(webhookDeliveries.id, id))
                  .orderBy(orderBy),
            },
            query,
          ),
        signal,
      ),
  };
}
