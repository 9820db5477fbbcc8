import { builtInReportTypes, createCatalogue } from "@reports/core";
import { composeRenderer } from "./compose.ts";
import { serveRenders } from "./serve-renders.ts";

serveRenders((settings) => composeRenderer(createCatalogue(builtInReportTypes), settings));
