import type pg from "pg";
import { answerInTime } from "../database/answer-in-time.ts";
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

/** A connection in a read-only transaction that sees one snapshot. It belongs to the caller, who gives it back or destroys its socket. */
export interface HeldConnection<Asked> {
  readonly client: pg.Client;
  /** Of the host that the client is connected to. */
  readonly url: string;
  readonly backend: Backend;
  /** What was selected at the transaction's beginning. */
  readonly selected: TextRow;
  /** What was asked together with it. */
  readonly asked: Asked;
  /** Where the server is a replica: up to when it had replayed its primary's changes before the snapshot was taken. */
  readonly replayedUntil: Date | null;
  /** Ends the connection unless it may serve again. Only for one whose transaction has ended. Never rejects. */
  giveBack(): Promise<void>;
}

/** What a report's transaction begins with. */
export interface Beginning<Asked> {
  /** A query of one row, by whose answer the connection is known to serve. */
  readonly select: string;
  /** Asks for more in the same round trip, whose answers may take longer. May be called once more, for another connection. */
  ask(client: pg.Client): Asked;
}

/** Connections for report rows. */
export interface ReportConnections {
  begin<Asked>(beginning: Beginning<Asked>, signal: AbortSignal): Promise<HeldConnection<Asked>>;
}

/**
 * Makes connections for report rows: at most one is kept between reports, and none for longer than `reuseMs` after it was made. `begin` is
 * the statement that begins a report's transaction. Of several hosts the first that answers is taken.
 */
export function createReportConnections(
  options: Omit<ConnectionOptions, "pipeline">,
  { begin, reuseMs }: { readonly begin: string; readonly reuseMs: number },
): ReportConnections {
  let kept: (MadeConnection & { readonly expiry: NodeJS.Timeout }) | null = null;
  /** Of the last server that was connected to. A primary becomes a replica by a restart only, which ends its connections. */
  let isReplica = true;

  const takeKept = () => {
    const taken = kept;
    kept = null;
    clearTimeout(taken?.expiry);
    return taken;
  };
  const keep = (made: MadeConnection): void => {
    const expiry = setTimeout(() => void close(takeKept()!.client), made.madeAt + reuseMs - performance.now());
    // A process that has nothing else to do may end.
    expiry.unref();
    socketOf(made.client).unref();
    kept = { ...made, expiry };
  };
  /** Begins the transaction; what the replica has replayed is read before, so that it is not later than the snapshot. */
  const beginOn = async <Asked>(client: pg.Client, { select, ask }: Beginning<Asked>): Promise<Begun<Asked>> => {
    const replayedUntil = isReplica ? await readReplayedUntil(client) : null;
    isReplica = replayedUntil !== null;
    const begun = readSecond(client, `${begin}; ${select}`);
    // What is asked next may fail before this is waited for.
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
      // Another one may have been given back meanwhile.
      if (performance.now() < made.madeAt + reuseMs && kept === null) keep(made);
      else await close(made.client);
    },
  });

  const beginAgain = async <Asked>(beginning: Beginning<Asked>): Promise<HeldConnection<Asked> | null> => {
    const taken = takeKept();
    if (taken === null) return null;
    socketOf(taken.client).ref();
    try {
      return hold(taken, await answerInTime(beginOn(taken.client, beginning), options.connectTimeoutMs));
    } catch {
      // Postgres or the network ended it while it waited; a new one finds out whether they are back.
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
