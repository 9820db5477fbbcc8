import { runRenderer } from "@reports/worker/renderer";
import { registrations } from "../report-types.ts";

runRenderer(registrations.map(({ definition }) => definition));
