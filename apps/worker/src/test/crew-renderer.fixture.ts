import { builtInReportTypes, createCatalogue } from "@reports/core";
import { composeRenderer } from "../renderer/compose.ts";
import { serveRenders } from "../renderer/serve-renders.ts";
import { crewReport } from "./crew-report.fixture.ts";

/** The renderer process of a deployment that has registered one type more. */
serveRenders((settings) => composeRenderer(createCatalogue([...builtInReportTypes, crewReport]), settings));
