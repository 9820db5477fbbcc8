export { loadTypes } from "./deployment/load-types.ts";
export { runTypesCheck } from "./deployment/run-types-check.ts";
