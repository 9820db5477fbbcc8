import { expect, test } from "vitest";
import { StartingError } from "./check.ts";
import { createLogger } from "./log/logger.ts";
import { createReadiness } from "./readiness.ts";

test("what a process that takes too long to start is missing is a warning, too", async () => {
  const lines: string[] = [];
  const readiness = createReadiness({
    checks: { database: async () => Promise.reject(new StartingError("not yet")) },
    startingMs: 0,
    logger: createLogger({ name: "test", level: "info", destination: { write: (line) => lines.push(line) } }),
  });
  expect(await readiness()).toMatchObject({ status: "failing" });
  await readiness();
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: "warn", check: "database" }]);
});

test("whoever asks while the checks are run is told what those come to, and the next one has them run anew", async () => {
  let runs = 0;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const readiness = createReadiness({
    checks: {
      database: async () => {
        runs += 1;
        await held;
      },
    },
    logger: createLogger({ name: "test", level: "silent" }),
  });
  const asked = Promise.all([readiness(), readiness(), readiness()]);
  release();
  expect((await asked).map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
  expect(runs).toBe(1);
  await readiness();
  expect(runs).toBe(2);
});

test("what would not come by waiting is a warning at once", async () => {
  const lines: string[] = [];
  const readiness = createReadiness({
    checks: {
      rights: async () => Promise.reject(new Error("The user lacks INSERT on reports.")),
      running: async () => Promise.reject(new StartingError("The process is starting.")),
    },
    logger: createLogger({ name: "test", level: "info", destination: { write: (line) => lines.push(line) } }),
  });
  expect(await readiness()).toMatchObject({ status: "failing" });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: "warn", check: "rights" }]);
});
