import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { FileReadingResult } from "./file-reading-thread.ts";
import { filesPerTask, readFiles, type ReadFiles, type ReadFilesTask } from "./read-files.ts";

/** Reads files for one walk, one task after the other. */
export interface FileReader {
  read(task: ReadFilesTask): Promise<ReadFiles>;
  /** Ends the thread. It can only end when the call that it waits for ends. */
  close(): void;
}

/**
 * Creates a reader that reads many files in a separate thread. The thread waits for each call of the file system. That takes a sixth of the
 * processor time of asynchronous calls, each of which wakes two threads. A short walk is not worth a thread.
 */
export function createFileReader(): FileReader {
  let thread: Worker | undefined;
  return {
    async read(task) {
      if (thread === undefined && task.keys.length < filesPerTask) return readFiles(task);
      thread ??= startThread();
      return readInThread(thread, task);
    },
    close: () => void thread?.terminate(),
  };
}

function startThread(): Worker {
  const entry = new URL(`./file-reading-thread${extname(import.meta.filename)}`, import.meta.url);
  // The thread needs no environment, which can contain secrets.
  const thread = new Worker(entry, { env: {} });
  thread.unref();
  return thread;
}

async function readInThread(thread: Worker, task: ReadFilesTask): Promise<ReadFiles> {
  const { promise, resolve, reject } = Promise.withResolvers<FileReadingResult>();
  const exited = (): void => reject(new Error("The thread that reads files has ended."));
  thread.once("message", resolve).once("error", reject).once("exit", exited);
  // The process must not end while it waits for the answer.
  thread.ref();
  try {
    thread.postMessage(task, []);
    const result = await promise;
    if ("found" in result) return result;
    throw Object.assign(new Error(result.message), { code: result.code });
  } finally {
    thread.unref();
    thread.off("message", resolve).off("error", reject).off("exit", exited);
  }
}
