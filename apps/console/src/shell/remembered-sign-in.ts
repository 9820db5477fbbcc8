const issuerKey = "issuer";
const tokenKey = "token";

/** Returns whether the latest sign-in in this browser was at the issuer and the user did not sign out. */
export function isRemembered(): boolean {
  return tryStorage(() => localStorage.getItem(issuerKey)) !== null;
}

/** Stores in the browser that the sign-in was at the issuer. */
export function remember(isSignedIn: boolean): void {
  tryStorage(() => (isSignedIn ? localStorage.setItem(issuerKey, "1") : localStorage.removeItem(issuerKey)));
}

/** Stores the latest token of a password in this tab. docs/decisions/0044-a-console-served-by-the-api.md. */
export function keepToken(token: string): void {
  tryStorage(() => sessionStorage.setItem(tokenKey, token));
}

/** Returns the token that this tab keeps, or null. */
export function keptToken(): string | null {
  return tryStorage(() => sessionStorage.getItem(tokenKey));
}

export function forgetToken(): void {
  tryStorage(() => sessionStorage.removeItem(tokenKey));
}

/** Returns the result, or null if the browser denies storage. The user then signs in again after each reload. */
function tryStorage<Result>(act: () => Result): Result | null {
  try {
    return act();
  } catch {
    return null;
  }
}
