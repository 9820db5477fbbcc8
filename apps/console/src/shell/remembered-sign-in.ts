const storageKey = "issuer";

/** Returns whether the latest sign-in in this browser was at the issuer and the user did not sign out. False if the browser denies storage. */
export function isRemembered(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}

/** Stores only that the sign-in was at the issuer, never a token. Does nothing if the browser denies storage. */
export function remember(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(storageKey, "1");
    else localStorage.removeItem(storageKey);
  } catch {
    // The user signs in again after each reload.
  }
}
