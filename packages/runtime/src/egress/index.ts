export { createGuardedAgent } from "./guarded-agent.ts";
export {
  createNameServerSearch,
  createSystemSearch,
  type AddressSearch,
  type FindAddresses,
} from "./find-addresses.ts";
