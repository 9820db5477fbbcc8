import { expect, test } from "vitest";
import { StillStartingError } from "./health-check.ts";
import { createLogger } from "./log/logger.ts";
import { createReadinessCheck } from "./readiness.ts";

test("the readiness check logs one warning if a part takes too long to start", async () => {
  const lines: string[] = [];
  const readiness = createReadinessCheck({
    checks: { database: async () => Promise.reject(new StillStartingError("not yet")) },
    startingMs: 0,
    logger: createLogger({ name: "test", level: "info", destination: { write: (line) => lines.push(line) } }),
  });
  expect(await readiness()).toMatchObject({ status: "failing" });
  await readiness();
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: "warn", check: "database" }]);
});

test("concurrent readiness requests share one run of the checks; later ones do not", async () => {
  let runs = 0;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const readiness = createReadinessCheck({
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

test("the readiness check logs a failed check immediately, but not a starting part", async () => {
  const lines: string[] = [];
  const readiness = createReadinessCheck({
    checks: {
      rights: async () => Promise.reject(new Error("The user lacks INSERT on reports.")),
      running: async () => Promise.reject(new StillStartingError("The process is starting.")),
    },
    logger: createLogger({ name: "test", level: "info", destination: { write: (line) => lines.push(line) } }),
  });
  expect(await readiness()).toMatchObject({ status: "failing" });
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: "warn", check: "rights" }]);
});
