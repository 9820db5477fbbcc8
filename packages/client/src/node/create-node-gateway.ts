import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { composeGateway, type GatewayOf, type GatewayOptions } from "../compose-gateway.ts";
import type { DownloadPlatform } from "../download-file.ts";
import { createStreamSink } from "../stream-sink.ts";
import { systemClientTiming } from "../transport/client-timing.ts";
import { createFileSink } from "./file-sink.ts";

/** The destination of a download: a path, a `file:` URL or a stream. */
export type DownloadTarget = string | URL | WritableStream<Uint8Array>;

/** A client that downloads reports to paths, `file:` URLs and streams. */
export type Gateway<Types = unknown> = GatewayOf<DownloadTarget, Types>;

export const nodeDownloadPlatform: DownloadPlatform<DownloadTarget> = {
  async open(target) {
    if (typeof target === "string") return createFileSink(target);
    return target instanceof URL ? createFileSink(fileURLToPath(target)) : createStreamSink(target);
  },
  createDigest: () => createHash("sha256"),
};

/** Creates a client of the gateway. With `createGateway<typeof types>`, where `types` is the default export of a package of report types, the compiler checks names of types, filters, columns and options. It sends nothing before the first call. Throws a TypeError if an option is invalid. */
export function createGateway<Types = unknown>(options: GatewayOptions): Gateway<Types> {
  // The cast is safe, because `Types` exists only for the compiler.
  return composeGateway(options, nodeDownloadPlatform, systemClientTiming) as Gateway as Gateway<Types>;
}
