import { createDatabase, createStoreIdRepository } from "@reports/db";
import { newId } from "@reports/runtime";
import { adoptStore, createFileStore } from "@reports/storage";

/**
 * Adopts the folder as the file store of the database. With `force`, also adopts a folder with the store ID of another database, or without the
 * files of the records.
 */
export async function adoptDevelopmentStore(databaseUrl: string, directory: string, prefix?: string): Promise<void> {
  const database = createDatabase({ url: databaseUrl, max: 2, applicationName: "reports-start" });
  try {
    const store = await createFileStore({ directory, ...(prefix === undefined ? {} : { prefix }) });
    await adoptStore({ store, record: createStoreIdRepository(database), newId }, { force: true });
  } finally {
    await database.close();
  }
}
