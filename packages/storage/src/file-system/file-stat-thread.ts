import { lstatSync, readdirSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { statFiles, type FileStats, type StatFilesTask } from "./stat-files.ts";
import { systemErrorCode } from "./system-error.ts";

// This thread has no environment, so Node.js does not apply NODE_OPTIONS here. Therefore its modules import no package of the workspace, whose
// sources need a condition of NODE_OPTIONS.

/** A message of the thread. It is ready once its modules are loaded. A copied error loses its code, so the code is sent separately. */
export type FileStatMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly stats: FileStats }
  | { readonly kind: "failed"; readonly error: Error; readonly code: string | undefined };

const calls = { lstat: (path: string) => lstatSync(path), readdir: readdirSync };
const send = (message: FileStatMessage): void => parentPort!.postMessage(message, []);

parentPort!.on("message", (task: StatFilesTask) => {
  statFiles(task, calls).then(
    (stats) => send({ kind: "done", stats }),
    (error: Error) => send({ kind: "failed", error, code: systemErrorCode(error) }),
  );
});
send({ kind: "ready" });
