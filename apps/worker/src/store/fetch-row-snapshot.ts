import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { FileNotFoundError, PermanentReportError, type FileStore, type StoreIdentity } from "@reports/core/base";
import { createVerifiedStream, type RunDeps } from "@reports/core/report";
import { createSpoolWriteError } from "../renderer/spool-writer.ts";

/** Returns a function that copies a row snapshot to the spool. It rejects with ROWS_LOST if the snapshot is gone or its hash differs. */
export function createRowSnapshotFetcher(deps: {
  readonly files: Pick<FileStore, "open">;
  readonly identity: Pick<StoreIdentity, "assert">;
}): RunDeps["fetchKeptRows"] {
  return async (rows, path, signal) => {
    await deps.identity.assert({ signal });
    const { body } = await deps.files.open(rows.storageKey, { signal }).catch((error: unknown) => {
      throw error instanceof FileNotFoundError ? rowsLostError(error) : error;
    });
    let isOther = false;
    const verified = createVerifiedStream(body, rows, () => (isOther = true));
    const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
    try {
      await pipeline(verified, file, { signal });
    } catch (error) {
      signal.throwIfAborted();
      if (isOther) throw rowsLostError(error);
      // The size of the partial file decides whether the row snapshot alone is too large for the disk.
      const begun = await open(path, "r").catch(() => null);
      try {
        throw await createSpoolWriteError(begun, path, error);
      } finally {
        await begun?.close();
      }
    }
  };
}

function rowsLostError(cause: unknown): PermanentReportError {
  const message = "The stored row snapshot is not the one of this report. Start the report again.";
  return new PermanentReportError("ROWS_LOST", message, cause);
}
