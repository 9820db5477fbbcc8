import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { composeGateway, type GatewayOf, type GatewayOptions } from "../compose-gateway.ts";
import type { DownloadPlatform } from "../download-file.ts";
import { createStreamSink } from "../stream-sink.ts";
import { realPacing } from "../transport/pacing.ts";
import { createFileSink } from "./file-sink.ts";

/** The destination of a download: a path, a `file:` URL or a stream. */
export type DownloadTarget = string | URL | WritableStream<Uint8Array>;

/** A client that downloads reports to paths, `file:` URLs and streams. */
export type Gateway = GatewayOf<DownloadTarget>;

export const nodePlatform: DownloadPlatform<DownloadTarget> = {
  async open(target) {
    if (typeof target === "string") return createFileSink(target);
    return target instanceof URL ? createFileSink(fileURLToPath(target)) : createStreamSink(target);
  },
  createDigest: () => createHash("sha256"),
};

/** Creates a client of the gateway. It sends nothing before the first call. Throws a TypeError if an option is invalid. */
export function createGateway(options: GatewayOptions): Gateway {
  return composeGateway(options, nodePlatform, realPacing);
}
