// Every name of the browser's entry; of two names that are alike, the ones below count.
export * from "../index.ts";
/** @public For callers on Node.js. */
export { createGateway, type DownloadTarget, type Gateway } from "./create-gateway.ts";
