import postgres from "postgres";
import { hostileSettings } from "./hostile-settings.ts";

export async function applyHostileSettings(databaseUrl: string): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    await client.unsafe("load 'plpgsql'");
    const rows = await client<
      { name: string; database: string }[]
    >`select name, current_database() as database from pg_settings where context in ('user', 'superuser')`;
    for (const { name, database } of rows) {
      const setting = hostileSettings[name];
      if (setting !== undefined && "value" in setting)
        await client.unsafe(`alter database "${database}" set ${name} to '${setting.value}'`);
    }
  } finally {
    await client.end();
  }
}
