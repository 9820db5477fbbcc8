import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Runs the reports of this process, one after the other, so that each of them ends nothing but itself: what its functions leave behind, such
 * as a timer or a promise that nobody awaits, still belongs to it once it is over. An exception out of it is then printed and ends no other
 * report; an exception of the report that runs, or of nobody's, ends the process as it does elsewhere.
 */
export function createReportScope(): <Result>(report: () => Promise<Result>) => Promise<Result> {
  const owner = new AsyncLocalStorage<symbol>();
  let current: symbol | null = null;
  // Unhandled rejections arrive here, too.
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
