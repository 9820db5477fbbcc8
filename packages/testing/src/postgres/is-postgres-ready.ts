import postgres from "postgres";

/** Error codes of a server that is not listening yet, or is still recovering (57P03). Other errors, such as a wrong password, are permanent. */
const startingErrorCodes: ReadonlySet<string | undefined> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "CONNECTION_CLOSED",
  "CONNECT_TIMEOUT",
  "57P03",
]);

export async function isPostgresReady(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => undefined });
  try {
    await sql`select 1`;
    return true;
  } catch (error) {
    if (startingErrorCodes.has((error as { code?: string }).code)) return false;
    throw error;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
