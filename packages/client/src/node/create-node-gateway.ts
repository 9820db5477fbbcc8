import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { composeGateway, type GatewayOf, type GatewayOptions } from "../compose-gateway.ts";
import type { DownloadPlatform } from "../download-file.ts";
import { streamSink } from "../stream-sink.ts";
import { pacing } from "../transport/pacing.ts";
import { fileSink } from "./file-sink.ts";

/** What a report can be downloaded to: a path, a `file:` URL or a stream. */
export type DownloadTarget = string | URL | WritableStream<Uint8Array>;

/** A gateway whose reports are downloaded to paths and streams. */
export type Gateway = GatewayOf<DownloadTarget>;

export const platform: DownloadPlatform<DownloadTarget> = {
  async open(target) {
    if (typeof target === "string") return fileSink(target);
    return target instanceof URL ? fileSink(fileURLToPath(target)) : streamSink(target);
  },
  createDigest: () => createHash("sha256"),
};

/** Talks to a gateway. Nothing is sent before the first call. Throws a TypeError when an option is wrong. */
export function createGateway(options: GatewayOptions): Gateway {
  return composeGateway(options, platform, pacing);
}
