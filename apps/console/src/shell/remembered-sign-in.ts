const issuerKey = "issuer";
const tokenKey = "token";

/** Reports whether the latest sign-in in this browser was at the issuer and the user has not signed out since. */
export function wasSignedInAtIssuer(): boolean {
  return tryStorage(() => localStorage.getItem(issuerKey)) !== null;
}

export function storeSignedInAtIssuer(isSignedIn: boolean): void {
  tryStorage(() => (isSignedIn ? localStorage.setItem(issuerKey, "1") : localStorage.removeItem(issuerKey)));
}

/**
 * Stores the token of a password sign-in in this tab, so that a reload keeps the user signed in. docs/decisions/0044-a-console-served-by-the-api.md.
 */
export function storeToken(token: string): void {
  tryStorage(() => sessionStorage.setItem(tokenKey, token));
}

export function readStoredToken(): string | null {
  return tryStorage(() => sessionStorage.getItem(tokenKey));
}

export function removeStoredToken(): void {
  tryStorage(() => sessionStorage.removeItem(tokenKey));
}

/** Returns the result of `act`, or null if the browser denies storage. Without storage, the user signs in again after each reload. */
function tryStorage<Result>(act: () => Result): Result | null {
  try {
    return act();
  } catch {
    return null;
  }
}
