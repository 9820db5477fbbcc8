import { createDatabase, createStoreIdRecord } from "@reports/db";
import { newId } from "@reports/runtime";
import { adoptStore, createFileStore } from "@reports/storage";

/** Makes the folder the store of the database. An older version may have left files, and somebody may have removed one half. */
export async function adoptDevelopmentFiles(databaseUrl: string, directory: string, prefix?: string): Promise<void> {
  const database = createDatabase({ url: databaseUrl, max: 2, applicationName: "reports-start" });
  try {
    const store = await createFileStore({ directory, ...(prefix === undefined ? {} : { prefix }) });
    await adoptStore({ store, record: createStoreIdRecord(database), newId }, { force: true });
  } finally {
    await database.close();
  }
}
