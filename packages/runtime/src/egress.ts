export { createGuardedAgent } from "./egress/guarded-agent.ts";
export {
  createNameServerLookup,
  createSystemLookup,
  type AddressLookup,
  type FindAddresses,
} from "./egress/find-addresses.ts";
