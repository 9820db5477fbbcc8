import { createStoreIdRepository, type Database } from "@reports/db";
import { fileStoreSettingsOf, newId } from "@reports/runtime";
import { adoptEmptyStore, createFileStore, createStoreIdentity, assertStoreWritable } from "@reports/storage";
import type { WorkerContext } from "../worker-parts.ts";
import { createStoreWatch, type StoreWatch } from "./store-watch.ts";

export interface StoreParts {
  readonly files: Awaited<ReturnType<typeof createFileStore>>;
  readonly identity: ReturnType<typeof createStoreIdentity>;
  readonly prove: (signal: AbortSignal) => Promise<void>;
  readonly watch: StoreWatch;
}

export async function composeStoreParts(
  { config, clocks, logger }: WorkerContext,
  database: Database,
): Promise<StoreParts> {
  const files = await createFileStore(fileStoreSettingsOf(config));
  const record = createStoreIdRepository(database);
  const identity = createStoreIdentity({ store: files, record, logger });
  const prove = async (signal: AbortSignal): Promise<void> => assertStoreWritable(files, signal);
  const adopt = async (signal: AbortSignal): Promise<boolean> =>
    adoptEmptyStore({ store: files, record, newId }, signal);
  return { files, identity, prove, watch: createStoreWatch({ identity, adopt, prove, period: clocks.store, logger }) };
}
