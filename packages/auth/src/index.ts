export { requirableTokenTypes } from "./access-token.ts";
export {
  authenticationChallenges,
  createAuthenticator,
  type Authenticate,
  type AuthenticationContext,
} from "./authenticate.ts";
export {
  toTypesWithAuthorities,
  REGISTRY_READ,
  REGISTRY_WRITE,
  REPORTS_ADMIN,
  WEBHOOKS_WRITE,
  builtInTypeAuthorities,
  type AuthorityLookup,
} from "./authority-lookup.ts";
export { discoverTokenEndpoint } from "./discover-issuer.ts";
export { createTokenIssuer, type TokenIssuer } from "./issue-token.ts";
export { createIssuerKeys, keySetStates, type IssuerKeys, type KeySetState } from "./key-set.ts";
export { createLinkCreatorCheck } from "./link-creator-check.ts";
export { hashPassword } from "./password.ts";
export { anonymousPrincipal, type Principal } from "./principal.ts";
export { createRefusedLoginCache } from "./refused-login-cache.ts";
export { createReportAccess, type ReportAccess } from "./report-access.ts";
export { createCredentialRecheck, type RecheckCredentials } from "./recheck-credentials.ts";
export type { UserDirectory } from "./user-directory.ts";
export { createBasicVerifier, type LoginCheckResult } from "./verify-basic.ts";
export { createBearerVerifier, type BearerVerifier } from "./verify-bearer.ts";
