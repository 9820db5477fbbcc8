export * from "./databases/test-databases.ts";
export * from "./minio.ts";
export * from "./postgres/free-port.ts";
export * from "./postgres/start-postgres.ts";
export * from "./wait-for.ts";
