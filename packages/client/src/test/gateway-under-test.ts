import { composeGateway, type GatewayOptions } from "../compose-gateway.ts";
import { nodePlatform } from "../node/create-node-gateway.ts";
import { realPacing, type Pacing } from "../transport/pacing.ts";

/** Creates a pacing that does not wait. It records its pauses, and its random number is always `random`. */
export function createFastPacing(random = 0) {
  const pauses: number[] = [];
  let nowMs = 0;
  const fast: Pacing = {
    now: () => nowMs,
    random: () => random,
    responseTimeoutMs: realPacing.responseTimeoutMs,
    async pause(ms, signal) {
      pauses.push(ms);
      await realPacing.pause(0, signal);
    },
  };
  return { ...fast, pauses, advance: (ms: number) => void (nowMs += ms) };
}

export function createGatewayAt(baseUrl: string, options: { readonly pacing?: Pacing } & Partial<GatewayOptions> = {}) {
  const { pacing: own = createFastPacing(), ...rest } = options;
  return composeGateway({ baseUrl, token: () => "a-token", ...rest } as GatewayOptions, nodePlatform, own);
}
