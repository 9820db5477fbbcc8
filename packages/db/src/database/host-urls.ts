export function splitHostUrls(url: string): readonly string[] {
  const [, scheme, credentials = "", hosts, rest] = /^([a-z]+:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (hosts === undefined || !hosts.includes(",")) return [url];
  return hosts.split(",").map((host) => `${scheme}${credentials}${host}${rest}`);
}
