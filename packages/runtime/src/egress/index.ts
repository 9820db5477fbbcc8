export { createGuardedAgent } from "./guarded-agent.ts";
