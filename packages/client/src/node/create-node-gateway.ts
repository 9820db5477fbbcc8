import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { composeGateway, type GatewayOf, type GatewayOptions } from "../compose-gateway.ts";
import type { DownloadPlatform } from "../download-file.ts";
import { streamSink } from "../stream-sink.ts";
import { pacing } from "../transport/pacing.ts";
import { fileSink } from "./file-sink.ts";

/** The destination of a download: a path, a `file:` URL or a stream. */
export type DownloadTarget = string | URL | WritableStream<Uint8Array>;

/** A client that downloads reports to paths, `file:` URLs and streams. */
export type Gateway = GatewayOf<DownloadTarget>;

export const platform: DownloadPlatform<DownloadTarget> = {
  async open(target) {
    if (typeof target === "string") return fileSink(target);
    return target instanceof URL ? fileSink(fileURLToPath(target)) : streamSink(target);
  },
  createDigest: () => createHash("sha256"),
};

/** Creates a client of the gateway. It sends nothing before the first call. Throws a TypeError if an option is invalid. */
export function createGateway(options: GatewayOptions): Gateway {
  return composeGateway(options, platform, pacing);
}
