import { composeGateway, type GatewayOf, type GatewayOptions } from "./compose-gateway.ts";
import { createStreamSink } from "./stream-sink.ts";
import { realPacing } from "./transport/pacing.ts";

/** A client that downloads reports to streams. */
export type Gateway = GatewayOf<WritableStream<Uint8Array>>;

/** Creates a client of the gateway. It sends nothing before the first call. Throws a TypeError if an option is invalid. */
export function createGateway(options: GatewayOptions): Gateway {
  return composeGateway(options, { open: async (stream) => createStreamSink(stream), createDigest: null }, realPacing);
}
