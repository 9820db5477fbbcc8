import { runMain } from "@reports/runtime";
import { runApi } from "./run-api.ts";

await runMain(() => runApi(process.env));
