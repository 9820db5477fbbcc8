export const testProxyBody = {
  name: "edge",
  kind: "REVERSE",
  address: "192.0.2.1",
  port: 80,
  protocol: "HTTP",
} as const;
export const testDomainBody = {
  hostname: "a.example",
  upstreamScheme: "HTTP",
  upstreamHost: "b",
  upstreamPort: 80,
  tlsMode: "NONE",
} as const;
