import { Readable } from "node:stream";
import { callbackify } from "node:util";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";

/**
 * The bytes of a `COPY … TO STDOUT` as a stream that owns its connection: read to the end or destroyed, it ends it.
 * `close` is emitted after `end` has resolved.
 */
export function openCopyStream(
  client: pg.Client,
  copy: string,
  owner: {
    /** Called once; `finished` says whether the COPY came to its end, so that the connection can be closed in order. */
    end(finished: boolean): Promise<void>;
    mapError(error: unknown): unknown;
    readonly signal: AbortSignal;
  },
): Readable {
  const source = client.query(copyTo(copy, { highWaterMark: 1 << 20 }));
  let finished = false;
  const bytes = new Readable({
    highWaterMark: 1 << 20,
    read: () => source.resume(),
    destroy: (error, done) => {
      source.destroy();
      const reason = owner.signal.aborted ? (owner.signal.reason as Error) : error;
      callbackify(owner.end)(finished, (failure) => done(reason ?? failure));
    },
  });
  // Whoever reads later is still told: a broken stream keeps its error. Until then nobody listens, which must not end the process.
  bytes.on("error", () => undefined);
  source.on("data", (chunk: Buffer) => {
    if (!bytes.push(chunk)) source.pause();
  });
  source.once("end", () => {
    finished = true;
    bytes.push(null);
  });
  source.on("error", (error) => bytes.destroy(owner.mapError(error) as Error));
  // pg tells a lost connection to the running query only, which the COPY no longer is in pg's eyes while it streams.
  client.connection.stream.once("close", () => {
    if (!finished)
      bytes.destroy(
        owner.mapError(Object.assign(new Error("The connection was lost."), { code: "ECONNRESET" })) as Error,
      );
  });
  return bytes;
}
