import { createAuthenticator, createBasicVerifier, createBearerVerifier, createTokenIssuer } from "@reports/auth";
import type { Authenticate, BearerRules, BearerVerifier, TokenIssuer, UserDirectory } from "@reports/auth";
import type { LoginThrottle } from "@reports/core";
import type { ApiConfig } from "./config.ts";

/** The ways in, as they are configured: passwords always, bearer tokens by a key set or by shared secrets. */
export interface Entrance {
  readonly authenticate: Authenticate;
  /** Only where there is a shared secret to sign with. */
  readonly issueToken: TokenIssuer | undefined;
}

/** Builds the entrance. */
export function composeEntrance(
  config: ApiConfig,
  parts: { readonly users: UserDirectory; readonly throttle: LoginThrottle },
): Entrance {
  const rules = {
    authoritiesClaim: config.authoritiesClaim,
    ...(config.issuer === undefined ? {} : { issuer: config.issuer }),
    ...(config.audience === undefined ? {} : { audience: config.audience }),
  };
  const secrets = config.jwtSecrets?.reveal();
  const bearer = openBearer(config, rules, secrets);
  const signing = secrets?.[0];
  return {
    authenticate: createAuthenticator({
      basic: createBasicVerifier(parts),
      ...(bearer === undefined ? {} : { bearer }),
    }),
    issueToken:
      signing === undefined
        ? undefined
        : createTokenIssuer({ ...rules, secret: signing, lifetimeSeconds: config.tokenLifetimeSeconds }),
  };
}

function openBearer(
  config: ApiConfig,
  rules: BearerRules,
  secrets: readonly string[] | undefined,
): BearerVerifier | undefined {
  if (secrets !== undefined) return createBearerVerifier({ ...rules, secrets });
  if (config.jwksUrl !== undefined) return createBearerVerifier({ ...rules, jwksUrl: new URL(config.jwksUrl) });
  return undefined;
}
