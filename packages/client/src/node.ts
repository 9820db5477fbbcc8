/** @public For callers on Node.js. */
export { createGateway, type DownloadTarget, type Gateway } from "./node/create-node-gateway.ts";
// The exports above replace the exports of the same name for browsers.
export * from "./index.ts";
