import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { listeningPorts } from "./listening-ports.ts";

test.runIf(process.platform === "linux")("only the process that listens at a port has the port", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await listeningPorts(process.pid)).toContain(port);
  // The parent process does not listen there, and the port answers all the same.
  expect(await listeningPorts(process.ppid)).not.toContain(port);
  server.close();
  await once(server, "close");
  expect(await listeningPorts(process.pid)).not.toContain(port);
});
