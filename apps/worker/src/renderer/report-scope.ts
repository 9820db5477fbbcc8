import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Makes the function that runs each report of a process. An uncaught error ends the process, unless it comes from a report that has already ended.
 */
export function createIsolatedReportRunner(): <Result>(report: () => Promise<Result>) => Promise<Result> {
  const owner = new AsyncLocalStorage<symbol>();
  let current: symbol | null = null;
  process.on("uncaughtException", (error: unknown) => {
    const from = owner.getStore();
    const isLeftover = from !== undefined && from !== current;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${isLeftover ? "Left behind by a report that is over: " : ""}${text}\n`);
    if (!isLeftover) process.exit(1);
  });
  return async (report) => {
    const own = Symbol("report");
    current = own;
    try {
      return await owner.run(own, report);
    } finally {
      current = null;
    }
  };
}
