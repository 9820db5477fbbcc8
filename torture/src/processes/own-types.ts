import { fileURLToPath } from "node:url";

/** Set to `true` for an instance that knows one type more, as though it were of a later version. */
export const knowsNextVariable = "TORTURE_KNOWS_NEXT";

const own = "@reports/torture/report-types";
const next = "@reports/torture/next-report-types";

/** The settings by which API and worker serve the harness's report types beside the built-in ones. */
export const ownTypes = {
  REPORT_TYPES: process.env[knowsNextVariable] === "true" ? `${own},${next}` : own,
  // A package finds itself by its name.
  REPORT_TYPES_DIR: fileURLToPath(new URL("../..", import.meta.url)),
  // Their functions look for failpoints.
  REPORT_TYPES_ENV_PREFIX: "TORTURE_",
};
