import type pg from "pg";
import { withQueryTimeout } from "../database/query-timeout.ts";
import { readReplayedUntil } from "./replayed-until.ts";
import {
  connectToAny,
  destroySocket,
  readBackend,
  readSecondResult,
  socketOf,
  type Backend,
  type ConnectionOptions,
  type TextRow,
} from "../database/pg-connection.ts";

/** A connection in a read-only transaction with one snapshot. The caller releases it or destroys its socket. */
export interface ReportConnection<Asked> {
  readonly client: pg.Client;
  readonly url: string;
  readonly backend: Backend;
  readonly selected: TextRow;
  readonly asked: Asked;
  /** The time up to which a replica had replayed its primary before the snapshot; null on a primary. */
  readonly replayedUntil: Date | null;
  /** Releases the connection, which is closed unless it can be reused. Call it only after the end of its transaction. Never rejects. */
  release(): Promise<void>;
}

export interface BeginQueries<Asked> {
  /** A query of one row. Its result shows that the connection works. */
  readonly select: string;
  /** Sends further queries in the same round trip. It can be called again for another connection. */
  ask(client: pg.Client): Asked;
}

export interface ReportConnections {
  begin<Asked>(beginQueries: BeginQueries<Asked>, signal: AbortSignal): Promise<ReportConnection<Asked>>;
}

/** Makes connections for report rows and keeps at most one idle connection, up to `reuseMs` after it was made. `begin` is the SQL that begins a report's transaction. */
export function createReportConnections(
  options: Omit<ConnectionOptions, "pipeline">,
  { begin, reuseMs }: { readonly begin: string; readonly reuseMs: number },
): ReportConnections {
  let kept: (OpenConnection & { readonly expiry: NodeJS.Timeout }) | null = null;
  /** Whether the last server was a replica. A primary becomes a replica only by a restart, which ends its connections. */
  let isReplica = true;

  const takeKept = () => {
    const taken = kept;
    kept = null;
    clearTimeout(taken?.expiry);
    return taken;
  };
  const keep = (made: OpenConnection): void => {
    const expiry = setTimeout(() => void closeClient(takeKept()!.client), made.madeAt + reuseMs - performance.now());
    // Neither the timer nor the socket keeps the process alive.
    expiry.unref();
    socketOf(made.client).unref();
    kept = { ...made, expiry };
  };
  /** Begins the transaction. The replica's progress is read before it, so that the time is not later than the snapshot. */
  const beginOn = async <Asked>(
    client: pg.Client,
    { select, ask }: BeginQueries<Asked>,
  ): Promise<BegunTransaction<Asked>> => {
    const replayedUntil = isReplica ? await readReplayedUntil(client) : null;
    isReplica = replayedUntil !== null;
    const begun = readSecondResult(client, `${begin}; ${select}`);
    // The next query may fail before this promise is awaited.
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
      // Another connection may have been kept meanwhile.
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
      // The connection was lost while it was idle. A new connection shows whether the server is available.
      destroySocket(taken.client);
      return null;
    }
  };

  return {
    async begin(beginQueries, signal) {
      const again = await beginOnKept(beginQueries);
      if (again !== null) return again;
      const { client, url } = await connectToAny({ ...options, pipeline: true }, signal);
      try {
        isReplica = true;
        const backend = await readBackend(client);
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
  readonly backend: Backend;
  readonly client: pg.Client;
  readonly url: string;
  readonly madeAt: number;
}

async function closeClient(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined);
}
