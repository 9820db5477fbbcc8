import type { CollectionPage, CollectionQuery } from "../query/collection-query.ts";
import { creationTimeFilters, statusFilter } from "../query/filter-definitions.ts";
import type { Filter } from "../query/filters.ts";
import type { DeliveryVisibilityFilter } from "../report/lifecycle/visibility.ts";
import type { WebhookDelivery } from "./delivery-record.ts";
import type { Webhook } from "./webhook-record.ts";
import { deliveryStatuses, webhookStatuses } from "./webhook-values.ts";

export const webhookFilters: readonly Filter[] = [statusFilter(webhookStatuses), ...creationTimeFilters];

export const deliveryFilters: readonly Filter[] = [statusFilter(deliveryStatuses), ...creationTimeFilters];

export const webhookSortFields: readonly string[] = ["createdAt", "updatedAt"];

/** The only sort of deliveries, because only `createdAt` has an index. */
export const deliverySortFields: readonly string[] = ["createdAt"];

export interface WebhookLists {
  webhooks(
    query: CollectionQuery & { readonly owner: string | null },
    signal: AbortSignal,
  ): Promise<CollectionPage<Webhook>>;
  deliveries(
    query: CollectionQuery & { readonly webhookId: string; readonly visible: DeliveryVisibilityFilter },
    signal: AbortSignal,
  ): Promise<CollectionPage<WebhookDelivery>>;
}
