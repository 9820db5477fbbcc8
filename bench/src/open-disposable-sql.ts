import postgres, { type Sql } from "postgres";

export function openDisposableSql(databaseUrl: string): Sql & AsyncDisposable {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  return Object.assign(sql, { [Symbol.asyncDispose]: async () => sql.end() });
}
