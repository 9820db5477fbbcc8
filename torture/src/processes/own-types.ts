import { fileURLToPath } from "node:url";

/** The settings by which API and worker serve the harness's report types beside the built-in ones. */
export const ownTypes = {
  REPORT_TYPES: "@reports/torture/report-types",
  // A package finds itself by its name.
  REPORT_TYPES_DIR: fileURLToPath(new URL("../..", import.meta.url)),
  // Their functions look for failpoints.
  REPORT_TYPES_ENV_PREFIX: "TORTURE_",
};
