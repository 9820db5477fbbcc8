import { deliveryFilters, webhookFilters, type WebhookLists } from "@reports/core";
import { and, eq } from "drizzle-orm";
import type { ListDatabase } from "../database/list-database.ts";
import { listPage } from "../relations/list-page.ts";
import { deliveriesRelation, webhooksRelation } from "../relations/webhooks.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";
import { isVisibleDelivery } from "./visible-deliveries.ts";
import { deliveryColumns, webhookColumns } from "./webhook-row.ts";

/** Lists of webhooks and deliveries in Postgres. */
export function createWebhookLists(lists: Pick<ListDatabase, "read">): WebhookLists {
  return {
    webhooks: ({ owner, ...query }, signal) =>
      lists.read(
        async (queries) =>
          listPage(
            queries,
            {
              relation: webhooksRelation,
              filters: webhookFilters,
              within: owner === null ? undefined : eq(webhooks.owner, owner),
              rows: async ({ page, id, orderBy, keyset }) =>
                queries
                  .select({ row: webhookColumns, keyset })
                  .from(webhooks)
                  .innerJoin(page, eq(webhooks.id, id))
                  .orderBy(orderBy),
            },
            query,
          ),
        signal,
      ),
    deliveries: ({ webhookId, visible, ...query }, signal) =>
      lists.read(
        async (queries) =>
          listPage(
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
