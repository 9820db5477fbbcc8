import { expect, test } from "vitest";
import { createLogger } from "./log/logger.ts";
import { createReadiness } from "./readiness.ts";

test("what a process that takes too long to start is missing is a warning, too", async () => {
  const lines: string[] = [];
  const readiness = createReadiness({
    checks: { database: async () => Promise.reject(new Error("away")) },
    startingMs: 0,
    logger: createLogger({ name: "test", level: "info", destination: { write: (line) => lines.push(line) } }),
  });
  expect(await readiness()).toMatchObject({ status: "failing" });
  await readiness();
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: "warn", check: "database" }]);
});
