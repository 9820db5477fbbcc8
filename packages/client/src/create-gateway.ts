import { composeGateway, type GatewayOf, type GatewayOptions } from "./compose-gateway.ts";
import { streamSink } from "./stream-sink.ts";
import { pacing } from "./transport/pacing.ts";

/** A gateway whose reports are downloaded to streams. */
export type Gateway = GatewayOf<WritableStream<Uint8Array>>;

/** Talks to a gateway. Nothing is sent before the first call. Throws a TypeError when an option is wrong. */
export function createGateway(options: GatewayOptions): Gateway {
  return composeGateway(options, { open: async (stream) => streamSink(stream), createDigest: null }, pacing);
}
