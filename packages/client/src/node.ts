export { createGateway, type DownloadTarget, type Gateway } from "./node/create-node-gateway.ts";
// The exports of this file replace the exports of the same names for browsers.
export * from "./index.ts";
