export * from "./authenticate.ts";
export * from "./authorities.ts";
export * from "./issue-token.ts";
export * from "./key-set.ts";
export { hashPassword } from "./password.ts";
export * from "./principal.ts";
export * from "./user-directory.ts";
export * from "./verify-basic.ts";
export * from "./verify-bearer.ts";
