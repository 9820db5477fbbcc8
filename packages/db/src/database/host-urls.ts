/**
 * The URLs of a URL's hosts, in its order: `postgres://u:p@a:5432,b/d` is two. For whoever may read any of them; nothing is asked of a host
 * but that it answers.
 */
export function hostUrls(url: string): readonly string[] {
  const [, scheme, credentials = "", hosts, rest] = /^([a-z]+:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (hosts === undefined || !hosts.includes(",")) return [url];
  return hosts.split(",").map((host) => `${scheme}${credentials}${host}${rest}`);
}
