import { readThrownMessage, StoreUnavailableError } from "@reports/core/base";
import { addAbortListener } from "node:events";
import type { Socket } from "node:net";
import { Client } from "pg";
import { withCurrentPassword } from "./current-password.ts";
import { splitHostUrls, tryHosts } from "./host-urls.ts";
import { separateTlsOptions, type UrlAndTlsOptions } from "./url-and-tls-options.ts";
import { buildSessionSetupSql, type DatabaseKind } from "./session-settings.ts";
import { applySourceSettings, type SourceSessionOptions } from "./source-session-options.ts";
import {
  isTransientSourceError,
  isPostgresError,
  mapDatabaseError,
  connectionRefusalMessage,
  ServerRefusedError,
} from "./store-error.ts";

export interface BoundQuery {
  readonly text: string;
  readonly values: readonly string[];
}

export type TextRow = readonly (string | null)[];

export interface PostgresBackend {
  readonly pid: number;
  readonly startedAt: string;
}

export interface PgConnectionOptions {
  readonly url: string;
  readonly database: DatabaseKind;
  readonly session?: SourceSessionOptions;
  readonly connectTimeoutMs: number;
  readonly applicationName: string;
  readonly pipeline?: boolean;
}

const rawTextTypes = { getTypeParser: () => (text: unknown) => text };

export async function connectPgClient(
  { url, database, session, connectTimeoutMs, applicationName, pipeline = false }: PgConnectionOptions,
  signal: AbortSignal | null,
): Promise<Client> {
  signal?.throwIfAborted();
  const address = addressOf(url);
  const client = new Client({
    connectionString: address.url,
    ssl: address.ssl,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: applicationName,
    keepAlive: true,
    pipeline,
  });
  // Without a listener, the loss of an idle connection would end the process. A running query rejects anyway.
  client.on("error", () => undefined);
  using _ = signal && addAbortListener(signal, () => destroySocket(client));
  try {
    await client.connect();
    if (database === "service") await client.query(buildSessionSetupSql());
    if (session !== undefined) await applySourceSettings(async (statement) => client.query(statement), session);
    return client;
  } catch (error) {
    destroySocket(client);
    signal?.throwIfAborted();
    if (error instanceof ServerRefusedError)
      throw new ServerRefusedError(error.what, error.cause, client.password ?? "");
    const isRefusal = isPostgresError(error)
      ? !isTransientSourceError(error)
      : connectionRefusalMessage(error) !== null;
    if (database === "source" && isRefusal)
      throw new ServerRefusedError("It refuses the connection", error, client.password ?? "");
    const mapped = mapDatabaseError(error);
    if (mapped !== error) throw mapped;
    throw new StoreUnavailableError(`Postgres refused the connection: ${readThrownMessage(error)}`, {
      cause: error,
    });
  }
}

function addressOf(url: string): UrlAndTlsOptions {
  try {
    return separateTlsOptions(withCurrentPassword(url));
  } catch (error) {
    throw new StoreUnavailableError((error as Error).message, { cause: error });
  }
}

/** Connects to the first host that accepts this user. If none does, rejects with the last StoreUnavailableError, or else ServerRefusedError. */
export async function connectToAnyHost(
  options: PgConnectionOptions,
  signal: AbortSignal | null,
): Promise<{ readonly client: Client; readonly url: string }> {
  return tryHosts(splitHostUrls(options.url), async (url) => ({
    client: await connectPgClient({ ...options, url }, signal),
    url,
  }));
}

export async function readTextRows(client: Client, query: BoundQuery): Promise<TextRow[]> {
  const result = await client.query<(string | null)[]>({
    text: query.text,
    values: [...query.values],
    rowMode: "array",
    types: rawTextTypes,
  });
  return result.rows;
}

export async function readRowOfSecondResult(client: Client, text: string): Promise<TextRow> {
  const results: unknown = await client.query({ text, rowMode: "array", types: rawTextTypes });
  return (results as readonly { readonly rows: readonly TextRow[] }[])[1]!.rows[0]!;
}

export async function readPostgresBackend(client: Client): Promise<PostgresBackend> {
  const [row] = await readTextRows(client, {
    // As JSON, the time has the same text form under every DateStyle of the server.
    text: "select pid, to_json(backend_start) #>> '{}' from pg_stat_activity where pid = pg_backend_pid()",
    values: [],
  });
  return { pid: Number(row![0]), startedAt: row![1]! };
}

export async function quoteLiterals(client: Client, { values }: BoundQuery): Promise<readonly string[]> {
  if (values.length === 0) return [];
  const rows = await readTextRows(client, {
    text: "select quote_literal(value) from unnest($1::text[]) with ordinality as given (value, position) order by position",
    values: [toArrayLiteral(values)],
  });
  return rows.map(([literal]) => literal!);
}

/** Replaces the placeholders of a query by literals, because COPY takes no parameters. A `$n` within quotes is not a placeholder and stays. */
export function replaceQueryPlaceholders({ text }: BoundQuery, literals: readonly string[]): string {
  return text.replace(quotedOrPlaceholder, (whole, position?: string) =>
    position === undefined ? whole : literals[Number(position) - 1]!,
  );
}

const quotedOrPlaceholder = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\$(\d+)/g;

/** Closes the socket without waiting for Postgres. Postgres notices immediately while it sends rows, and within two seconds while it sorts. */
export function destroySocket(client: Client): void {
  socketOf(client).destroy();
}

/** Returns the socket of a connection; a TLS socket if it is encrypted. pg does not document it: docs/decisions/0081-private-doors.md. */
export function socketOf({ connection }: Pick<Client, "connection">): Socket {
  return connection.stream as Socket;
}

/** Ends a server process over another connection. Ignores failures: the process ends when it notices that its own connection is closed. */
export async function terminatePostgresBackend(options: PgConnectionOptions, backend: PostgresBackend): Promise<void> {
  try {
    const client = await connectPgClient(options, null);
    try {
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_start = $2",
        [backend.pid, backend.startedAt],
      );
    } finally {
      await client.end();
    }
  } catch {
    // A failure is harmless: if Postgres is unreachable, its server process cannot send rows to this program either.
  }
}

function toArrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, "\\$&")}"`).join(",")}}`;
}
