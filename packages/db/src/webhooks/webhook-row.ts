import { storedFieldNames } from "@reports/core/record";
import { deliveryRecord, webhookFilters, webhookRecord, type Webhook, type WebhookFields } from "@reports/core/webhook";
import { sql } from "drizzle-orm";
import type { OwnedTableMapping } from "../collections/owned-store.ts";
import { selectFieldColumns } from "../relations/table-relation.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";

type WrittenField = keyof WebhookFields | "pausedBecause";
const others = [
  "ownerAuthorities",
  "confirmedAt",
  "secret",
  "previousSecret",
  "previousSecretEndsAt",
  "earlierSecrets",
  "restsUntil",
  "begunAt",
  "failuresInARow",
  "failingSince",
] as const;

export const webhookTableMapping: OwnedTableMapping<
  typeof webhooks,
  Webhook,
  Webhook,
  WrittenField,
  (typeof others)[number]
> = {
  table: webhooks,
  columns: selectFieldColumns(webhooks, [...storedFieldNames(webhookRecord), "revision", "deletedAt"]),
  written: [...(webhookRecord.rules.fields as readonly (keyof WebhookFields)[]), "pausedBecause"],
  others,
  filters: webhookFilters,
  attach: (_, rows) => rows,
};

export const storedDeliveryColumns = selectFieldColumns(webhookDeliveries, storedFieldNames(deliveryRecord));

export const deliveryColumns = {
  ...storedDeliveryColumns,
  reportTitle: sql<string | null>`(select reports.title from reports where reports.id = ${webhookDeliveries.reportId})`,
};
