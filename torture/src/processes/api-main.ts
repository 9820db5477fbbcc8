import { runApi } from "@reports/api";
import { runMain } from "@reports/runtime";
import { harnessTypeSettings } from "./harness-types.ts";

await runMain(() => runApi({ ...process.env, ...harnessTypeSettings }));
