import { runApi } from "@reports/api";
import { runMain } from "@reports/runtime";
import { registrations } from "../report-types.ts";

await runMain(() => runApi(process.env, { reportTypes: registrations }));
