import { builtInReportTypes } from "@reports/core";
import { runRenderer } from "../renderer/run-renderer.ts";
import { crewReport } from "./crew-report.fixture.ts";

/** The renderer process of a deployment that has registered one type more. */
runRenderer([...builtInReportTypes, crewReport]);
