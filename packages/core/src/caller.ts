export {
  defaultLoginLimits,
  unlimitedLoginThrottle,
  type LoginAttempt,
  type LoginLimits,
  type ExhaustedLoginLimit,
  type LoginThrottle,
} from "./caller/login-throttle.ts";
export { RateLimitedError, type QuotaState } from "./caller/rate-limit.ts";
export { maxPrincipalBytes, userPrincipalPrefix } from "./caller/user-principal.ts";
