import { lstatSync, readdirSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { systemErrorCode } from "./system-error.ts";
import { readFiles, type ReadFiles, type ReadFilesTask } from "./read-files.ts";

/** The answer to a task. An error is sent as its message and code, because a copied error would lose its code. */
export type FileReadingResult = ReadFiles | { readonly message: string; readonly code: string | undefined };

const calls = { lstat: (path: string) => lstatSync(path), readdir: readdirSync };

parentPort!.on("message", (task: ReadFilesTask) => {
  const send = (result: FileReadingResult): void => parentPort!.postMessage(result, []);
  readFiles(task, calls).then(send, (error: Error) => send({ message: error.message, code: systemErrorCode(error) }));
});
