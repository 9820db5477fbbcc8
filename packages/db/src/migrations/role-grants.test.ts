import { readFile } from "node:fs/promises";
import { getTableName } from "drizzle-orm";
import { expect, test } from "vitest";
import { updatedColumns } from "../collections/owned-store.ts";
import { scheduleMapping } from "../schedules/schedule-row.ts";
import { webhookMapping } from "../webhooks/webhook-row.ts";
import { databaseRoles, rolesFile } from "./roles.ts";

const grants = [webhookMapping, scheduleMapping].map((mapping) => {
  const on = `ON ${getTableName(mapping.table)} TO ${databaseRoles.api};`;
  return { on, statement: `GRANT UPDATE (${updatedColumns(mapping).join(", ")}) ${on}` };
});

test("roles.sql grants what `pnpm generate role-grants` writes", async () => {
  const lines = (await readFile(rolesFile, "utf8")).split("\n");
  const written = lines.map((line) => {
    const grant = grants.find(({ on }) => line.startsWith("GRANT UPDATE (") && line.endsWith(on));
    return grant?.statement ?? line;
  });
  expect(written).toEqual(expect.arrayContaining(grants.map(({ statement }) => statement)));
  await expect(written.join("\n")).toMatchFileSnapshot(rolesFile);
});
