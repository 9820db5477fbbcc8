import { fileURLToPath } from "node:url";
import { builtInReportTypes } from "@reports/core";
import { runMain } from "@reports/runtime";
import { runWorker } from "../run-worker.ts";
import { crewReport } from "./crew-report.fixture.ts";

/** The worker of a deployment that has registered one type more. */
await runMain(() =>
  runWorker(process.env, {
    reportTypes: [...builtInReportTypes, crewReport],
    rendererEntry: fileURLToPath(new URL("crew-renderer.fixture.ts", import.meta.url)),
  }),
);
