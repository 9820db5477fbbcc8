import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { discoverTokenEndpoint } from "./discover-issuer.ts";

let endpoint = "";
let issuer = "";
const server = createServer((_, response) => response.end(JSON.stringify({ issuer, token_endpoint: endpoint })));

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await once(server.close(), "close");
});

test.each(["https://issuer.example/token", "https://[2001:db8::1]:8443/token", "http://tokens.example:8080/token"])(
  "discoverTokenEndpoint accepts the endpoint %s",
  async (named) => {
    endpoint = named;
    expect((await discoverTokenEndpoint(issuer)).href).toBe(named);
  },
);

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "blob:https://issuer.example/1",
  "file:///etc/passwd",
  "ftp://issuer.example/token",
  "/token",
  "not a URL",
  "https://issuer.example;script-src/token",
  "https://issuer.example,other/token",
  "https://'unsafe-inline'/token",
])("discoverTokenEndpoint refuses the endpoint %s", async (named) => {
  endpoint = named;
  await expect(discoverTokenEndpoint(issuer)).rejects.toThrow("names a token endpoint that is not an https URL");
});
