export { loadConfiguredTypes } from "./deployment/load-configured-types.ts";
export { runTypesCheck, UsageError, type CheckFlags } from "./deployment/run-types-check.ts";
