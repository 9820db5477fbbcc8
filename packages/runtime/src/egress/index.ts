export { createGuardedAgent, ForbiddenAddressError, type GuardedAgentOptions, type Lookup } from "./guarded-agent.ts";
