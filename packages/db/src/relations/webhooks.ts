import { sql } from "drizzle-orm";
import { webhookDeliveries as d, webhooks as w } from "../schema/webhooks.ts";
import { column, type Relation } from "./relation.ts";

/** One row a living webhook. */
export const webhooksRelation: Relation = {
  name: "webhooks",
  from: sql`${w}`,
  living: sql`${w.deletedAt} is null`,
  id: sql`${w.id}`,
  columns: {
    id: column(w.id, "uuid"),
    status: column(w.status, "text"),
    createdAt: column(w.createdAt, "timestamptz"),
    updatedAt: column(w.updatedAt, "timestamptz"),
  },
};

/** One row a delivery. */
export const deliveriesRelation: Relation = {
  name: "webhook_deliveries",
  from: sql`${d}`,
  living: sql`true`,
  id: sql`${d.id}`,
  columns: {
    id: column(d.id, "uuid"),
    status: column(d.status, "text"),
    createdAt: column(d.createdAt, "timestamptz"),
  },
};
