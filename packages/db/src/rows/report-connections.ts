import type pg from "pg";
import { withQueryTimeout } from "../database/query-timeout.ts";
import { readReplayedUntil } from "./replayed-until.ts";
import {
  connectToAny,
  destroySocket,
  readBackend,
  readSecond,
  socketOf,
  type Backend,
  type ConnectionOptions,
  type TextRow,
} from "../database/pg-connection.ts";

/** A connection in a read-only transaction with one snapshot. The caller releases it or destroys its socket. */
export interface HeldConnection<Asked> {
  readonly client: pg.Client;
  /** URL of the connected host. */
  readonly url: string;
  readonly backend: Backend;
  readonly selected: TextRow;
  readonly asked: Asked;
  /** The time up to which a replica had replayed its primary before the snapshot; null on a primary. */
  readonly replayedUntil: Date | null;
  /** Releases the connection, which is closed unless it can be reused. Call it only after the end of its transaction. Never rejects. */
  giveBack(): Promise<void>;
}

export interface Beginning<Asked> {
  /** A query of one row. Its result shows that the connection works. */
  readonly select: string;
  /** Sends further queries in the same round trip. It can be called again for another connection. */
  ask(client: pg.Client): Asked;
}

export interface ReportConnections {
  begin<Asked>(beginning: Beginning<Asked>, signal: AbortSignal): Promise<HeldConnection<Asked>>;
}

/** Makes connections for report rows and keeps at most one idle connection, up to `reuseMs` after it was made. `begin` is the SQL that begins a report's transaction. */
export function createReportConnections(
  options: Omit<ConnectionOptions, "pipeline">,
  { begin, reuseMs }: { readonly begin: string; readonly reuseMs: number },
): ReportConnections {
  let kept: (MadeConnection & { readonly expiry: NodeJS.Timeout }) | null = null;
  /** Whether the last server was a replica. A primary becomes a replica only by a restart, which ends its connections. */
  let isReplica = true;

  const takeKept = () => {
    const taken = kept;
    kept = null;
    clearTimeout(taken?.expiry);
    return taken;
  };
  const keep = (made: MadeConnection): void => {
    const expiry = setTimeout(() => void close(takeKept()!.client), made.madeAt + reuseMs - performance.now());
    // Neither the timer nor the socket keeps the process alive.
    expiry.unref();
    socketOf(made.client).unref();
    kept = { ...made, expiry };
  };
  /** Begins the transaction. The replica's progress is read before it, so that the time is not later than the snapshot. */
  const beginOn = async <Asked>(client: pg.Client, { select, ask }: Beginning<Asked>): Promise<Begun<Asked>> => {
    const replayedUntil = isReplica ? await readReplayedUntil(client) : null;
    isReplica = replayedUntil !== null;
    const begun = readSecond(client, `${begin}; ${select}`);
    // The next query may fail before this promise is awaited.
    begun.catch(() => undefined);
    const asked = ask(client);
    return { replayedUntil, selected: await begun, asked };
  };
  const hold = <Asked>(made: MadeConnection, begun: Begun<Asked>): HeldConnection<Asked> => ({
    client: made.client,
    url: made.url,
    backend: made.backend,
    ...begun,
    async giveBack() {
      // Another connection may have been kept meanwhile.
      if (performance.now() < made.madeAt + reuseMs && kept === null) keep(made);
      else await close(made.client);
    },
  });

  const beginAgain = async <Asked>(beginning: Beginning<Asked>): Promise<HeldConnection<Asked> | null> => {
    const taken = takeKept();
    if (taken === null) return null;
    socketOf(taken.client).ref();
    try {
      return hold(taken, await withQueryTimeout(beginOn(taken.client, beginning), options.connectTimeoutMs));
    } catch {
      // The connection was lost while it was idle. A new connection shows whether the server is available.
      destroySocket(taken.client);
      return null;
    }
  };

  return {
    async begin(beginning, signal) {
      const again = await beginAgain(beginning);
      if (again !== null) return again;
      const { client, url } = await connectToAny({ ...options, pipeline: true }, signal);
      try {
        isReplica = true;
        const backend = await readBackend(client);
        return hold({ client, url, backend, madeAt: performance.now() }, await beginOn(client, beginning));
      } catch (error) {
        destroySocket(client);
        signal.throwIfAborted();
        throw error;
      }
    },
  };
}

type Begun<Asked> = Pick<HeldConnection<Asked>, "replayedUntil" | "selected" | "asked">;

interface MadeConnection {
  readonly backend: Backend;
  readonly client: pg.Client;
  readonly url: string;
  readonly madeAt: number;
}

async function close(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined);
}
