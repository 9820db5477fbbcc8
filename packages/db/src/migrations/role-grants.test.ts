import { readFile } from "node:fs/promises";
import { getTableName } from "drizzle-orm";
import { expect, test } from "vitest";
import { ownedCollections, toOwnedTableMapping } from "../collections/owned-collections.ts";
import { updatableColumnNames } from "../collections/owned-store.ts";
import { inventoryTableMappings } from "../collections/inventory-collections.ts";
import { tombstoneTables } from "../reports/retention-store.ts";
import { scheduleTableMapping } from "../schedules/schedule-row.ts";
import { webhookTableMapping } from "../webhooks/webhook-row.ts";
import { databaseRoles, rolesScriptPath } from "./roles.ts";
import { splitRolesScript } from "./table-guards.ts";

const { api, worker } = databaseRoles;
const inventory = inventoryTableMappings.map(({ table }) => getTableName(table)).toReversed();
const owned = ownedCollections.map((entry) => ({ ...entry.definition, table: getTableName(entry.table), entry }));

function grantUpdate(mapping: Parameters<typeof updatableColumnNames>[0]): string {
  return `GRANT UPDATE (${updatableColumnNames(mapping).join(", ")}) ON ${getTableName(mapping.table)} TO ${api};`;
}

const rights = [
  `GRANT SELECT, INSERT, UPDATE ON ${inventory.join(", ")} TO ${api};`,
  grantUpdate(webhookTableMapping),
  grantUpdate(scheduleTableMapping),
  ...owned.flatMap(({ table, entry }) => [
    `GRANT SELECT, INSERT ON ${table} TO ${api};`,
    grantUpdate(toOwnedTableMapping(entry)),
  ]),
  `GRANT SELECT, DELETE ON ${[...inventory, ...owned.map(({ table }) => table)].join(", ")} TO ${worker};`,
];

const guards = [
  ...inventory.map((table) => [
    `-- On ${table}:`,
    ...policiesOf(table, "register", [`register_api ON ${table} TO ${api} USING (true) WITH CHECK (true)`]),
  ]),
  ...owned.map(({ table, singular }) => [
    `-- On ${table}:`,
    ...policiesOf(table, table, [
      `${table}_api_select ON ${table} FOR SELECT TO ${api} USING (true)`,
      `${table}_api_insert ON ${table} FOR INSERT TO ${api} WITH CHECK (deleted_at IS NULL AND revision = 1 AND created_at = now()::timestamptz(3) AND updated_at = created_at)`,
      `${table}_api_update ON ${table} FOR UPDATE TO ${api} USING (true) WITH CHECK (true)`,
    ]),
    `DROP TRIGGER IF EXISTS ${table}_refuse_change_by_api ON ${table};`,
    `CREATE TRIGGER ${table}_refuse_change_by_api BEFORE UPDATE ON ${table} FOR EACH ROW`,
    "WHEN (",
    `\tpg_has_role(to_regrole('${api}')::oid, 'MEMBER') AND NOT coalesce(pg_has_role(to_regrole('${worker}')::oid, 'MEMBER'), false) AND (`,
    "\t\tOLD.deleted_at IS NOT NULL AND NEW.deleted_at IS DISTINCT FROM OLD.deleted_at OR NEW.revision NOT IN (OLD.revision, OLD.revision + 1)",
    "\t)",
    `) EXECUTE FUNCTION public.refuse_change('${api} may not restore a ${singular} or set another revision');`,
  ]),
];

function policiesOf(table: string, name: string, ofApi: readonly string[]): readonly string[] {
  const all = [
    ...ofApi,
    `${name}_worker_select ON ${table} FOR SELECT TO ${worker} USING (true)`,
    `${name}_worker_delete ON ${table} FOR DELETE TO ${worker} USING (deleted_at IS NOT NULL)`,
  ];
  return [
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;`,
    ...all.map((policy) => `DROP POLICY IF EXISTS ${policy.split(" ", 1)[0]} ON ${table};`),
    ...all.map((policy) => `CREATE POLICY ${policy};`),
  ];
}

function replaceBlock(script: string, heading: string, lines: readonly string[], end: RegExp): string {
  const [before, after] = script.split(`${heading}\n`) as [string, string];
  return `${before}${heading}\n${lines.join("\n")}${end.exec(after)![0]}`;
}

async function writeScript(): Promise<string> {
  const written = "written by `pnpm generate role-grants`:";
  const script = await readFile(rolesScriptPath, "utf8");
  const withRights = replaceBlock(script, `-- Rights to collections, ${written}`, rights, /\n\n[^]*/);
  const sections = guards.map((lines) => lines.join("\n")).join("\n\n");
  return replaceBlock(withRights, `-- Guards of collections, ${written}`, [sections], /\n$/);
}

test("roles.sql equals the file that `pnpm generate role-grants` writes", async () => {
  await expect(await writeScript()).toMatchFileSnapshot(rolesScriptPath);
});

test.each(tombstoneTables.map(({ table }) => getTableName(table)))(
  "the policies of table %s let the worker delete only tombstones",
  async (table) => {
    // The script is written here, because vitest writes roles.sql only after the tests. The file may still be old.
    const { guards: all } = splitRolesScript(await writeScript());
    const statements = all.find((each) => each.table === table)?.statements ?? "";
    expect(statements).toContain("ENABLE ROW LEVEL SECURITY");
    const ofWorker = statements.match(/(?<=CREATE POLICY \w+ )ON \w+ FOR (?:ALL|DELETE) TO reports_worker .*/g);
    expect(ofWorker).toEqual([`ON ${table} FOR DELETE TO ${worker} USING (deleted_at IS NOT NULL);`]);
  },
);
