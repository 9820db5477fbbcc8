export { loadTypes } from "./deployment/load-types.ts";
export { runTypesCheck, UsageError, type CheckFlags } from "./deployment/run-types-check.ts";
