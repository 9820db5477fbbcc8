export { createGuardedAgent } from "./egress/guarded-agent.ts";
export {
  createNameServerLookup,
  createSystemLookup,
  type RunningDnsLookup,
  type FindAddresses,
} from "./egress/find-addresses.ts";
