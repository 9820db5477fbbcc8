export { loadTypes } from "./load-types.ts";
export { runTypesCheck } from "./run-types-check.ts";
