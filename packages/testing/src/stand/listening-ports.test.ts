import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { findListeningPorts } from "./listening-ports.ts";

test.runIf(process.platform === "linux")(
  "findListeningPorts returns a port only for the process that listens on it",
  async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(await findListeningPorts(process.pid)).toContain(port);
    // This process listens on the port, and its parent process does not. A connection to the port could not show which process listens.
    expect(await findListeningPorts(process.ppid)).not.toContain(port);
    server.close();
    await once(server, "close");
    expect(await findListeningPorts(process.pid)).not.toContain(port);
  },
);
