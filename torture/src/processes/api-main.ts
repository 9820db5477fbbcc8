import { runApi } from "@reports/api";
import { runMain } from "@reports/runtime";
import { harnessTypesEnvironment } from "./harness-types.ts";

await runMain(() => runApi({ ...process.env, ...harnessTypesEnvironment }));
