import { fileURLToPath } from "node:url";

/** `true` for an instance that knows one more type, like a later version. */
export const knowsNextVariable = "TORTURE_KNOWS_NEXT";

/** `true` for instances of a stand with a sharded source. */
export const hasShardsVariable = "TORTURE_HAS_SHARDS";

const own = "@reports/torture/report-types";
const next = "@reports/torture/next-report-types";
const sharded = "@reports/torture/sharded-report-types";
const isSet = (variable: string): boolean => process.env[variable] === "true";

/** Settings by which API and worker serve the harness's report types in addition to the built-in ones. */
export const ownTypes = {
  REPORT_TYPES: [own, ...(isSet(knowsNextVariable) ? [next] : []), ...(isSet(hasShardsVariable) ? [sharded] : [])].join(
    ",",
  ),
  // A package finds itself by its name.
  REPORT_TYPES_DIR: fileURLToPath(new URL("../..", import.meta.url)),
  REPORT_TYPES_ENV_PREFIX: "TORTURE_",
};
