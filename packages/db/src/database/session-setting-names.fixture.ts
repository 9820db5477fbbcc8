import type { Sql } from "postgres";

/** Returns the names of all settings that a session may change. */
export async function readSessionSettingNames(client: Sql): Promise<readonly string[]> {
  await client.unsafe("load 'plpgsql'");
  const rows = await client<
    { name: string }[]
  >`select name from pg_settings where context in ('user', 'superuser') order by name`;
  return rows.map(({ name }) => name);
}
