import { fileURLToPath } from "node:url";

/** Environment variable. If `true`, the instance knows one report type more than the others, like a newer version. */
export const knowsNextTypeVariable = "TORTURE_KNOWS_NEXT";

/** Environment variable. If `true`, the stand has a sharded source. */
export const hasShardsVariable = "TORTURE_HAS_SHARDS";

const own = "@reports/torture/report-types";
const nextTypesModule = "@reports/torture/next-report-types";
const shardedTypesModule = "@reports/torture/sharded-report-types";
const isSet = (variable: string): boolean => process.env[variable] === "true";

export const harnessTypesEnvironment = {
  REPORT_TYPES: [
    own,
    ...(isSet(knowsNextTypeVariable) ? [nextTypesModule] : []),
    ...(isSet(hasShardsVariable) ? [shardedTypesModule] : []),
  ].join(","),
  // This package exports the types. In its own folder, Node resolves the package by its name.
  REPORT_TYPES_DIR: fileURLToPath(new URL("../..", import.meta.url)),
  REPORT_TYPES_ENV_PREFIX: "TORTURE_",
};
