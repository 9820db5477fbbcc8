import { composeGateway, type GatewayOptions } from "../compose-gateway.ts";
import { platform } from "../node/create-node-gateway.ts";
import { pacing, type Pacing } from "../transport/pacing.ts";

/** A pacing whose pauses are over at once and are written down, and in which chance is always `random`. */
export function fastPacing(random = 0) {
  const pauses: number[] = [];
  let nowMs = 0;
  const fast: Pacing = {
    now: () => nowMs,
    random: () => random,
    responseTimeoutMs: pacing.responseTimeoutMs,
    async pause(ms, signal) {
      pauses.push(ms);
      await pacing.pause(0, signal);
    },
  };
  return { ...fast, pauses, advance: (ms: number) => void (nowMs += ms) };
}

/** The gateway of Node.js, with a pacing of the test's own. */
export function gatewayAt(baseUrl: string, options: { readonly pacing?: Pacing } & Partial<GatewayOptions> = {}) {
  const { pacing: own = fastPacing(), ...rest } = options;
  return composeGateway({ baseUrl, token: () => "a-token", ...rest } as GatewayOptions, platform, own);
}
