import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { FileStatMessage } from "./file-stat-thread.ts";
import { filesPerTask, statFiles, type FileStats, type StatFilesTask } from "./stat-files.ts";

/** Describes files for one walk, one task after the other. */
export interface FileStatReader {
  read(task: StatFilesTask): Promise<FileStats>;
  /** Ends the thread. Resolves when it has ended, which is after its current call of the file system. */
  close(): Promise<void>;
}

/**
 * Creates a reader that gives a long walk a thread with synchronous calls. These take half the processor time of asynchronous calls
 * (docs/decisions/0090-the-reconciler-compares-ranges.md). A short walk is not worth a thread. The reader makes asynchronous calls until the thread
 * is ready, because a task has a deadline, and on a busy machine a thread can start slowly.
 */
export function createFileStatReader(): FileStatReader {
  let thread: FileStatThread | undefined;
  let isClosed = false;
  return {
    async read(task) {
      if (thread?.isReady() === true) return thread.read(task);
      const stats = await statFiles(task);
      if (!isClosed && task.keys.length >= filesPerTask) thread ??= startThread();
      return stats;
    },
    async close() {
      isClosed = true;
      await thread?.terminate();
    },
  };
}

type FileStatThread = ReturnType<typeof startThread>;

function startThread() {
  const entry = new URL(`./file-stat-thread${extname(import.meta.filename)}`, import.meta.url);
  // The thread needs no environment, which can contain secrets.
  const thread = new Worker(entry, { env: {} });
  // An idle thread does not keep the process running.
  thread.unref();
  let isReady = false;
  let running: PromiseWithResolvers<FileStats> | undefined;
  const fail = (error: Error): void => {
    isReady = false;
    running?.reject(error);
  };
  thread.on("message", (message: FileStatMessage) => {
    if (message.kind === "ready") isReady = true;
    else if (message.kind === "done") running?.resolve(message.stats);
    else {
      const { error, code } = message;
      running?.reject(Object.assign(new Error(error.message, { cause: error }), { code }));
    }
  });
  thread.on("messageerror", fail);
  thread.on("error", fail);
  thread.on("exit", () => fail(new Error("The thread that describes files has ended.")));
  return {
    isReady: () => isReady,
    async read(task: StatFilesTask): Promise<FileStats> {
      running = Promise.withResolvers();
      thread.ref();
      try {
        thread.postMessage(task, []);
        return await running.promise;
      } finally {
        thread.unref();
      }
    },
    terminate: async () => thread.terminate(),
  };
}
