import { once } from "node:events";
import { createLifecycle } from "./lifecycle.ts";
import { createLogger } from "./log/logger.ts";
import { runMain } from "./run-main.ts";
import { ConfigurationError, StartupError } from "./startup-error.ts";

const scenario = process.argv[2];
const printLine = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const keepAlive = setInterval(() => undefined, 1_000);

await runMain(async () => {
  if (scenario === "configuration") throw new ConfigurationError([{ variable: "PORT", message: "must be a number" }]);
  const lifecycle = createLifecycle({
    logger: createLogger({ name: "fixture", level: "silent" }),
    graceMs: 60_000,
    stepTimeoutMs: scenario === "stuck" ? 50 : 60_000,
  });
  const step = (name: string): void => {
    lifecycle.add({
      name,
      async start() {
        printLine(`start ${name}`);
        if (scenario === "start fails" && name === "two") throw new StartupError("Port 3000 is taken.");
        if (scenario === "start has a bug" && name === "two") throw new TypeError("undefined is not a function");
        if (scenario === "slow start" && name === "two") {
          printLine("ready");
          await new Promise((resolve) => lifecycle.signal.addEventListener("abort", resolve, { once: true }));
        }
      },
      async stop(signal) {
        printLine(`stop ${name}`);
        if (scenario === "stop fails" && name === "two") throw new Error("cannot stop");
        if (scenario === "told twice" && name === "two") {
          const second = once(process, "SIGTERM");
          printLine("waits for the second");
          await second;
        }
        if ((scenario === "stuck" || scenario === "two signals") && name === "two") {
          signal.addEventListener("abort", () => printLine("two was told to hurry"), { once: true });
          printLine("stuck");
          await new Promise(() => undefined);
        }
      },
    });
  };
  for (const name of ["one", "two", "three"]) step(name);
  await lifecycle.run();
  printLine("ready");
  if (scenario === "rejection") void Promise.reject(new Error("nobody cares"));
  if (scenario === "part ended") await lifecycle.shutDown("the runner ended", new Error("unasked"));
});
clearInterval(keepAlive);
setInterval(() => undefined, 1_000);
