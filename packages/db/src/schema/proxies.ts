import {
  adminStates,
  environments,
  healths,
  proxyKinds,
  proxyProtocols,
  proxySoftwares,
} from "@reports/core/inventory";
import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { oneOfCheckSql } from "./one-of-check-sql.ts";
import { isDeleted, timestampColumn, isUndeleted, createVersionColumns, textListColumn } from "./record-columns.ts";

export const proxies = pgTable(
  "proxies",
  {
    id: uuid("id").primaryKey(),
    name: text("name").notNull(),
    description: text("description").notNull().default(""),
    ownerTeam: text("owner_team"),
    contactEmail: text("contact_email"),
    tags: textListColumn("tags"),
    kind: text("kind", { enum: proxyKinds }).notNull(),
    software: text("software", { enum: proxySoftwares }).notNull().default("OTHER"),
    softwareVersion: text("software_version"),
    address: text("address").notNull(),
    port: integer("port").notNull(),
    protocol: text("protocol", { enum: proxyProtocols }).notNull(),
    region: text("region"),
    countryCode: text("country_code"),
    environment: text("environment", { enum: environments }).notNull().default("PROD"),
    adminState: text("admin_state", { enum: adminStates }).notNull().default("ENABLED"),
    health: text("health", { enum: healths }).notNull().default("UNKNOWN"),
    lastCheckedAt: timestampColumn("last_checked_at"),
    latencyMsP95: integer("latency_ms_p95"),
    maxConnections: integer("max_connections"),
    ...createVersionColumns(),
  },
  (table) => [
    uniqueIndex("proxies_name_unique").on(table.name).where(isUndeleted(table)),
    uniqueIndex("proxies_address_port_unique").on(table.address, table.port).where(isUndeleted(table)),
    index("proxies_deleted_at_index").on(table.deletedAt).where(isDeleted(table)),
    index("proxies_created_at_index").on(table.createdAt, table.id).where(isUndeleted(table)),
    index("proxies_tags_index").using("gin", table.tags).where(isUndeleted(table)),
    check("proxies_name_check", sql`${table.name} ~ '^[a-z0-9-]{1,63}$'`),
    check("proxies_port_check", sql`${table.port} between 1 and 65535`),
    check("proxies_kind_check", oneOfCheckSql(table.kind, proxyKinds)),
    check("proxies_software_check", oneOfCheckSql(table.software, proxySoftwares)),
    check("proxies_protocol_check", oneOfCheckSql(table.protocol, proxyProtocols)),
    check("proxies_environment_check", oneOfCheckSql(table.environment, environments)),
    check("proxies_admin_state_check", oneOfCheckSql(table.adminState, adminStates)),
    check("proxies_health_check", oneOfCheckSql(table.health, healths)),
  ],
);
