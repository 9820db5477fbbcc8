import { composeGateway, type GatewayOf, type GatewayOptions } from "./compose-gateway.ts";
import { createStreamSink } from "./stream-sink.ts";
import { systemClientTiming } from "./transport/client-timing.ts";

/** A client that downloads reports to streams. */
export type Gateway<Types = unknown> = GatewayOf<WritableStream<Uint8Array>, Types>;

/** Creates a client of the gateway. With `createGateway<typeof types>`, where `types` is the default export of a package of report types, the compiler checks names of types, filters, columns and options. It sends nothing before the first call. Throws a TypeError if an option is invalid. */
export function createGateway<Types = unknown>(options: GatewayOptions): Gateway<Types> {
  // The cast is safe, because `Types` exists only for the compiler.
  return composeGateway(
    options,
    { open: async (stream) => createStreamSink(stream), createDigest: null },
    systemClientTiming,
  ) as Gateway as Gateway<Types>;
}
