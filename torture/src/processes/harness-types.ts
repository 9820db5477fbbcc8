import { fileURLToPath } from "node:url";

/** Environment variable: `true` if an instance knows one more report type, like a newer version. */
export const knowsNextVariable = "TORTURE_KNOWS_NEXT";

/** Environment variable: `true` if the stand has a sharded source. */
export const hasShardsVariable = "TORTURE_HAS_SHARDS";

const own = "@reports/torture/report-types";
const nextTypesModule = "@reports/torture/next-report-types";
const shardedTypesModule = "@reports/torture/sharded-report-types";
const isSet = (variable: string): boolean => process.env[variable] === "true";

/** Settings with which the API and workers serve the harness's report types in addition to the built-in ones. */
export const harnessTypeSettings = {
  REPORT_TYPES: [
    own,
    ...(isSet(knowsNextVariable) ? [nextTypesModule] : []),
    ...(isSet(hasShardsVariable) ? [shardedTypesModule] : []),
  ].join(","),
  // The types are exports of this package, which Node resolves by the package's own name.
  REPORT_TYPES_DIR: fileURLToPath(new URL("../..", import.meta.url)),
  REPORT_TYPES_ENV_PREFIX: "TORTURE_",
};
