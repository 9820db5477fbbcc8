import {
  StoreMismatchError,
  StoreUnavailableError,
  awaitUnlessAborted,
  runWithTimeLimit,
  type StoreIdentity,
  type StoreIdReader,
  type StoreIdRepository,
  type StoreState,
} from "@reports/core/base";
import type { StoreNotes } from "../store-notes.ts";

/** Key of the note with the store ID. It is below the configured prefix and outside the report files. */
export const storeIdKey = "store-marker";

export interface WatchedStoreIdentity extends StoreIdentity, StoreIdReader {
  /** Returns the result of the latest check, or `unavailable` before the first one. */
  state(): StoreState;
}

export interface StoreIdentityOptions {
  readonly store: Pick<StoreNotes, "readNote">;
  readonly record: Pick<StoreIdRepository, "read" | "namesFiles">;
  readonly logger: Readonly<
    Record<"info" | "warn" | "error", (message: string, fields?: Record<string, unknown>) => void>
  >;
  /** Time limit of a check. Default: 5,000 ms. */
  readonly checkTimeoutMs?: number;
}

interface StoreCheck {
  readonly startedAt: number;
  readonly outcome: Promise<string>;
  failed: boolean;
}

/** The error while no store has been adopted and no record names a file. This is normal at the first start, until a worker adopts the store. */
class FirstStartError extends StoreMismatchError {}

/** How long checks with `glance` reuse the ID that was read from the database, in milliseconds. */
const recordMaxAgeMs = 1_000;

/** Creates the check that compares the store ID in the store with the one in the database. */
export function createStoreIdentity(options: StoreIdentityOptions): WatchedStoreIdentity {
  const checkTimeoutMs = options.checkTimeoutMs ?? 5_000;
  let state: StoreState = "unavailable";
  let logged: StoreState | "first start" | null = null;
  let latest: StoreCheck | null = null;
  let known: { readonly id: string; readonly readAt: number } | null = null;

  // Several callers may await the same check. So the check has its own time limit, which works even if the store ignores abort signals.
  const withTimeout = async <Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> =>
    runWithTimeLimit(
      work,
      checkTimeoutMs,
      () => new StoreUnavailableError(`The store's marker was not read within ${checkTimeoutMs} ms.`),
    );

  const startCheck = (glance: boolean): StoreCheck => {
    const outcome = withTimeout(async (signal) => compare(glance, signal));
    const check: StoreCheck = { startedAt: performance.now(), outcome, failed: false };
    latest = check;
    const note = (found: StoreState, error?: unknown): void => {
      check.failed = found !== "ok";
      // A newer check has begun meanwhile, so the result of this check is out of date.
      if (latest !== check) return;
      state = found;
      const finding = error instanceof FirstStartError ? "first start" : found;
      if (finding === logged) return;
      logged = finding;
      if (finding === "ok") options.logger.info("file store matches the database");
      else if (error instanceof FirstStartError)
        options.logger.warn("no file store has been adopted yet", { reason: error.message });
      else if (finding === "unavailable") options.logger.warn("file store marker cannot be read", { error });
      else {
        options.logger.error(
          "the file store is not the one of the database; until it is, no file is written, removed or counted as missing",
          {
            error,
          },
        );
      }
    };
    check.outcome.then(
      () => note("ok"),
      (error: unknown) => note(error instanceof StoreMismatchError ? "mismatch" : "unavailable", error),
    );
    return check;
  };

  async function compare(glance: boolean, signal: AbortSignal): Promise<string> {
    if (glance && known !== null && performance.now() - known.readAt < recordMaxAgeMs) {
      const { id } = known;
      if ((await options.store.readNote(storeIdKey, { known: true, signal })) === id) return id;
    }
    const readAt = performance.now();
    const [record, storeId] = await Promise.all([
      options.record.read(),
      options.store.readNote(storeIdKey, { signal }),
    ]);
    known = record === null ? null : { id: record.id, readAt };
    if (record !== null && storeId === record.id) return storeId;
    if (record?.adopted !== true && storeId === null && !(await options.record.namesFiles()))
      throw new FirstStartError(
        "A new deployment: its first worker adopts a store that is empty; one that is not takes `store-marker adopt`.",
      );
    throw new StoreMismatchError(mismatchReason(record !== null, storeId !== null));
  }

  return {
    state: () => state,
    async assert({ maxAgeMs = 0, glance = false, signal } = {}) {
      signal?.throwIfAborted();
      const ageMs = latest === null ? Number.POSITIVE_INFINITY : performance.now() - latest.startedAt;
      // A failed check is never reused, so that a repaired or adopted store is used immediately.
      const check = latest?.failed === false && ageMs < maxAgeMs ? latest : startCheck(glance);
      await rejectOnAbort(check.outcome, signal);
    },
    async readId({ signal } = {}) {
      signal?.throwIfAborted();
      const expected = known?.id;
      const reading = withTimeout(async (deadline) => options.store.readNote(storeIdKey, { signal: deadline }));
      if ((await rejectOnAbort(reading, signal)) === expected && expected !== undefined) return expected;
      return rejectOnAbort(startCheck(false).outcome, signal);
    },
  };
}

async function rejectOnAbort<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  return signal === undefined ? work : awaitUnlessAborted(work, signal);
}

function mismatchReason(isKnown: boolean, isMarked: boolean): string {
  if (isKnown && isMarked) return "The file store belongs to another database, or the database to another store.";
  if (isKnown)
    return "The file store holds no marker: it is empty, not mounted, or not the one of this database. Look at STORAGE_DIR, MINIO_BUCKET and STORAGE_PREFIX.";
  if (isMarked) return "The file store belongs to another database: this one has adopted none.";
  return "No file store has been adopted for this database, whose records name files: run `store-marker adopt`.";
}
