/** URLs by their `user:password`, as they were when the process started. Each function returns the URL as it is now. */
const currentUrls = new Map<string, () => string>();

/**
 * Lets new connections use the password that the URL of `readUrl` has at that moment, for example in a file that a rotation has replaced.
 * `url` is the URL with which the process started. If the user differs, too, connections keep the first password, because a pool keeps its
 * user.
 */
export function followPassword(url: string, readUrl: () => string): void {
  const login = loginOf(url);
  if (login?.password !== undefined) currentUrls.set(login.text, readUrl);
}

/** Returns the URL with the current password of its user, if `followPassword` knows one. */
export function withCurrentPassword(url: string): string {
  const login = loginOf(url);
  const current = login === null ? null : loginOf(currentUrls.get(login.text)?.() ?? url);
  return login === null || current === null || current.user !== login.user
    ? url
    : url.replace(`//${login.text}@`, () => `//${current.text}@`);
}

/** Returns the decoded password that a new connection to the URL has to use; an empty text if it has none. */
export function currentPassword(url: string): string {
  return decodeURIComponent(loginOf(withCurrentPassword(url))?.password ?? "");
}

function loginOf(url: string): { readonly text: string; readonly user: string; readonly password?: string } | null {
  const text = /^[a-z]+:\/\/([^/?#]*)@/i.exec(url)?.[1];
  if (text === undefined) return null;
  const [user, ...password] = text.split(":");
  return { text, user: user!, ...(password.length > 0 && { password: password.join(":") }) };
}
