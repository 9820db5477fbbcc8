import { createStoreMarkerRecord, type Database } from "@reports/db";
import { fileStoreOf, newId, type Logger } from "@reports/runtime";
import { adoptEmptyStore, createFileStore, createStoreIdentity, proveWritable } from "@reports/storage";
import type { Period } from "../clocks.ts";
import type { WorkerConfig } from "../config.ts";
import { createStoreWatch, type StoreWatch } from "./store-watch.ts";

interface ComposedStore {
  readonly files: Awaited<ReturnType<typeof createFileStore>>;
  readonly identity: ReturnType<typeof createStoreIdentity>;
  /** Writes to the store. */
  readonly prove: (signal: AbortSignal) => Promise<void>;
  readonly storeWatch: StoreWatch;
}

/** Opens the file store, and watches whether it is the one of the records and can be written to. */
export async function composeStore(
  config: WorkerConfig,
  database: Database,
  period: Period,
  logger: Logger,
): Promise<ComposedStore> {
  const files = await createFileStore(fileStoreOf(config));
  const record = createStoreMarkerRecord(database);
  const identity = createStoreIdentity({ store: files, record, logger });
  const prove = async (signal: AbortSignal): Promise<void> => proveWritable(files, signal);
  const adopt = async (signal: AbortSignal): Promise<boolean> =>
    adoptEmptyStore({ store: files, record, newId }, signal);
  return { files, identity, prove, storeWatch: createStoreWatch({ identity, adopt, prove, period, logger }) };
}
