/** Reports whether a URL uses HTTP without TLS to another machine, so that attackers in the network can read and change the traffic. */
export function isRemotePlaintextHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
