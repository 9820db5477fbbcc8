// The wire: what callers send and get, as schemas and types.
export { problemCatalogue, problemCodes, type ProblemCode, type ProblemType } from "./http/problem-catalogue.ts";
