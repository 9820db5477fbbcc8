/** Whether what is fetched from there can be read and changed on the way. */
export function isPlaintextHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
