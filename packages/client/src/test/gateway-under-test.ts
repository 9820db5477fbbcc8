import { composeGateway, type GatewayOptions } from "../compose-gateway.ts";
import { nodeDownloadPlatform } from "../node/create-node-gateway.ts";
import { systemClientTiming, type ClientTiming } from "../transport/client-timing.ts";

/** Creates client timing that does not wait. It records its pauses, and its random number is always `random`. */
export function createInstantClientTiming(random = 0) {
  const pauses: number[] = [];
  let nowMs = 0;
  const fast: ClientTiming = {
    now: () => nowMs,
    random: () => random,
    responseTimeoutMs: systemClientTiming.responseTimeoutMs,
    async pause(ms, signal) {
      pauses.push(ms);
      await systemClientTiming.pause(0, signal);
    },
  };
  return { ...fast, pauses, advance: (ms: number) => void (nowMs += ms) };
}

export function createTestGateway(
  baseUrl: string,
  options: { readonly pacing?: ClientTiming } & Partial<GatewayOptions> = {},
) {
  const { pacing: own = createInstantClientTiming(), ...rest } = options;
  return composeGateway({ baseUrl, token: () => "a-token", ...rest } as GatewayOptions, nodeDownloadPlatform, own);
}
