export { createGuardedAgent } from "./egress/guarded-agent.ts";
export {
  createNameServerSearch,
  createSystemSearch,
  type AddressSearch,
  type FindAddresses,
} from "./egress/find-addresses.ts";
