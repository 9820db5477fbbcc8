import { splitHostUrls } from "./host-urls.ts";

/** Functions that return the current URL. The key is `user:password@host` of the URL with which the process started. */
const currentUrls = new Map<string, () => string>();

/**
 * Lets new connections to the servers of `url` use the password in the URL that `readUrl` returns at that moment. The service needs no
 * restart when a secret file is replaced. If that URL names another user, connections keep the first password, because a pool cannot change
 * its user.
 */
export function enablePasswordReload(url: string, readUrl: () => string): void {
  for (const each of [url, ...splitHostUrls(url)]) {
    const login = loginOf(each);
    if (login?.password !== undefined) currentUrls.set(keyOf(login), readUrl);
  }
}

export function withCurrentPassword(url: string): string {
  const login = loginOf(url);
  const current = login === null ? null : loginOf(currentUrls.get(keyOf(login))?.() ?? url);
  return login === null || current === null || current.user !== login.user
    ? url
    : url.replace(`//${login.text}@`, () => `//${current.text}@`);
}

export function createPasswordReader(url: string): (() => string) | undefined {
  return loginOf(url)?.password === undefined
    ? undefined
    : () => decodeURIComponent(loginOf(withCurrentPassword(url))?.password ?? "");
}

interface Login {
  readonly text: string;
  readonly hosts: string;
  readonly user: string;
  readonly password?: string;
}

const keyOf = ({ text, hosts }: Login): string => `${text}@${hosts}`;

function loginOf(url: string): Login | null {
  const [, text, hosts = ""] = /^[a-z]+:\/\/([^/?#]*)@([^/?#]*)/i.exec(url) ?? [];
  if (text === undefined) return null;
  const [user, ...password] = text.split(":");
  return { text, hosts, user: user!, ...(password.length > 0 && { password: password.join(":") }) };
}
