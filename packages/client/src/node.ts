/** @public For callers on Node.js. */
export { createGateway, type DownloadTarget, type Gateway } from "./node/create-node-gateway.ts";
// The names above take the place of those for browsers.
export * from "./index.ts";
