import { createCatalogue } from "@reports/core";
import { composeRenderer } from "@reports/worker/src/renderer/compose.ts";
import { serveRenders } from "@reports/worker/src/renderer/serve-renders.ts";
import { registrations } from "../report-types.ts";

const catalogue = createCatalogue(registrations.map(({ definition }) => definition));
serveRenders((settings) => composeRenderer(catalogue, settings));
