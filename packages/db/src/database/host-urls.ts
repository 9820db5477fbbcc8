/** Returns one URL per host, in order: two for `postgres://u:p@a:5432,b/d`. Callers try the hosts one after another. */
export function splitHostUrls(url: string): readonly string[] {
  const [, scheme, credentials = "", hosts, rest] = /^([a-z]+:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (hosts === undefined || !hosts.includes(",")) return [url];
  return hosts.split(",").map((host) => `${scheme}${credentials}${host}${rest}`);
}
