import { runApi } from "@reports/api";
import { runMain } from "@reports/runtime";
import { ownTypes } from "./own-types.ts";

await runMain(() => runApi({ ...process.env, ...ownTypes }));
