import type pg from "pg";
import { withQueryTimeout } from "../database/query-timeout.ts";
import { readReplayedUntil } from "./replayed-until.ts";
import {
  connectToAnyHost,
  destroySocket,
  readPostgresBackend,
  readRowOfSecondResult,
  socketOf,
  type PostgresBackend,
  type PgConnectionOptions,
  type TextRow,
} from "../database/pg-connection.ts";

/** A connection in a read-only transaction with one snapshot. The caller must call `release` or destroy its socket. */
export interface ReportConnection<Asked> {
  readonly client: pg.Client;
  readonly url: string;
  readonly backend: PostgresBackend;
  readonly selected: TextRow;
  readonly asked: Asked;
  /** The time up to which a replica had replayed its primary before the snapshot. Null on a primary. */
  readonly replayedUntil: Date | null;
  /** Keeps the connection for the next report, or closes it. Call it only after the transaction has ended. Never rejects. */
  release(): Promise<void>;
}

export interface BeginQueries<Asked> {
  /** A query that returns one row and is sent with BEGIN. Its result shows that the connection works. */
  readonly select: string;
  /** Sends further queries in the same round trip. It is called again if the first connection was lost while idle. */
  ask(client: pg.Client): Asked;
}

export interface ReportConnections {
  begin<Asked>(beginQueries: BeginQueries<Asked>, signal: AbortSignal): Promise<ReportConnection<Asked>>;
}

/** Keeps at most one idle connection, until `reuseMs` after it was opened. `begin` is the SQL that begins a report's transaction. */
export function createReportConnections(
  options: Omit<PgConnectionOptions, "pipeline">,
  { begin, reuseMs }: { readonly begin: string; readonly reuseMs: number },
): ReportConnections {
  let kept: (OpenConnection & { readonly expiry: NodeJS.Timeout }) | null = null;
  /** Stays true until a server turns out to be a primary. A primary becomes a replica only by a restart, which ends its connections. */
  let isReplica = true;

  const takeKept = () => {
    const taken = kept;
    kept = null;
    clearTimeout(taken?.expiry);
    return taken;
  };
  const keep = (made: OpenConnection): void => {
    const expiry = setTimeout(() => void closeClient(takeKept()!.client), made.madeAt + reuseMs - performance.now());
    expiry.unref();
    socketOf(made.client).unref();
    kept = { ...made, expiry };
  };
  /** Reads the replica's progress before BEGIN, so that the reported time is not later than the snapshot. */
  const beginOn = async <Asked>(
    client: pg.Client,
    { select, ask }: BeginQueries<Asked>,
  ): Promise<BegunTransaction<Asked>> => {
    const replayedUntil = isReplica ? await readReplayedUntil(client) : null;
    isReplica = replayedUntil !== null;
    const begun = readRowOfSecondResult(client, `${begin}; ${select}`);
    // If `ask` fails, `begun` is never awaited. Without a handler, its rejection would end the process.
    begun.catch(() => undefined);
    const asked = ask(client);
    return { replayedUntil, selected: await begun, asked };
  };
  const toReportConnection = <Asked>(
    made: OpenConnection,
    begun: BegunTransaction<Asked>,
  ): ReportConnection<Asked> => ({
    client: made.client,
    url: made.url,
    backend: made.backend,
    ...begun,
    async release() {
      if (performance.now() < made.madeAt + reuseMs && kept === null) keep(made);
      else await closeClient(made.client);
    },
  });

  const beginOnKept = async <Asked>(beginQueries: BeginQueries<Asked>): Promise<ReportConnection<Asked> | null> => {
    const taken = takeKept();
    if (taken === null) return null;
    socketOf(taken.client).ref();
    try {
      return toReportConnection(
        taken,
        await withQueryTimeout(beginOn(taken.client, beginQueries), options.connectTimeoutMs),
      );
    } catch {
      // The server may have closed the idle connection. Only a new connection shows whether the server is available.
      destroySocket(taken.client);
      return null;
    }
  };

  return {
    async begin(beginQueries, signal) {
      const again = await beginOnKept(beginQueries);
      if (again !== null) return again;
      const { client, url } = await connectToAnyHost({ ...options, pipeline: true }, signal);
      try {
        isReplica = true;
        const backend = await readPostgresBackend(client);
        return toReportConnection(
          { client, url, backend, madeAt: performance.now() },
          await beginOn(client, beginQueries),
        );
      } catch (error) {
        destroySocket(client);
        signal.throwIfAborted();
        throw error;
      }
    },
  };
}

type BegunTransaction<Asked> = Pick<ReportConnection<Asked>, "replayedUntil" | "selected" | "asked">;

interface OpenConnection {
  readonly backend: PostgresBackend;
  readonly client: pg.Client;
  readonly url: string;
  readonly madeAt: number;
}

async function closeClient(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined);
}
