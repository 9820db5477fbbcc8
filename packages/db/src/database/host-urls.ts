/** Returns one URL per host, in order: `postgres://u:p@a:5432,b/d` has two. For readers of any host that answers. */
export function hostUrls(url: string): readonly string[] {
  const [, scheme, credentials = "", hosts, rest] = /^([a-z]+:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (hosts === undefined || !hosts.includes(",")) return [url];
  return hosts.split(",").map((host) => `${scheme}${credentials}${host}${rest}`);
}
