import {
  createAuthenticator,
  createBasicVerifier,
  createBearerVerifier,
  createIssuerKeys,
  createTokenIssuer,
} from "@reports/auth";
import type { Authenticate, BearerVerifier, Principal, IssuerKeys, TokenIssuer, UserDirectory } from "@reports/auth";
import type { LoginThrottle } from "@reports/core/caller";
import type { ApiConfig } from "./config.ts";

export interface AuthenticationComponents {
  readonly authenticate: Authenticate;
  /** Undefined without AUTH_JWT_SECRET, which signs the tokens that the API issues. */
  readonly issueToken: TokenIssuer | undefined;
  /** Undefined without AUTH_JWKS_URL, the address of the token issuer's public keys. */
  readonly issuerKeys: IssuerKeys | undefined;
}

export interface AuthenticationDeps {
  readonly users: UserDirectory;
  readonly throttle: LoginThrottle;
  readonly onKeySetFailure: (error: unknown) => void;
  /** Called each time a password is hashed to verify it, but not for recently verified credentials. */
  readonly onPasswordCheck: () => void;
}

export function composeAuthentication(config: ApiConfig, parts: AuthenticationDeps): AuthenticationComponents {
  const { users, throttle } = parts;
  const rules = {
    authoritiesClaim: config.authoritiesClaim,
    issuer: config.issuer ?? null,
    audience: config.audience ?? null,
    tokenType: config.tokenType,
    maxTokenAgeSeconds: config.maxTokenAgeSeconds,
  };
  const secrets = config.jwtSecrets?.reveal();
  const issuerKeys =
    config.jwksUrl === undefined
      ? undefined
      : createIssuerKeys(new URL(config.jwksUrl.reveal()), { onFailure: parts.onKeySetFailure });
  const basic = createBasicVerifier({ users, throttle, onCheck: parts.onPasswordCheck });
  const signing = secrets?.[0];
  const verifiers = [
    ...(secrets === undefined
      ? []
      : [createBearerVerifier({ ...rules, users, secrets, mayLackIssuer: issuerKeys !== undefined })]),
    ...(issuerKeys === undefined ? [] : [createBearerVerifier({ ...rules, keys: issuerKeys })]),
  ];
  return {
    authenticate: createAuthenticator({ basic, bearer: async (token) => verifyWithAny(verifiers, token) }),
    issueToken:
      signing === undefined
        ? undefined
        : createTokenIssuer({ ...rules, secret: signing, lifetimeSeconds: config.tokenLifetimeSeconds }),
    issuerKeys,
  };
}

/**
 * Returns the principal that the first matching verifier reads from the token; null if none accepts it. At most one accepts it, because a secret and
 * an issuer allow different algorithms.
 */
async function verifyWithAny(verifiers: readonly BearerVerifier[], token: string): Promise<Principal | null> {
  for (const verify of verifiers) {
    const principal = await verify(token);
    if (principal !== null) return principal;
  }
  return null;
}
