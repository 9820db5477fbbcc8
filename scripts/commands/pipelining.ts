import { setTimeout as wait } from "node:timers/promises";
import { runAttack } from "./attacks/attack-command.ts";

const connections = 8;
const requests = 1_500;
const seconds = 20;

await runAttack({
  name: "pipelining",
  help: `Usage: pnpm pipelining

Starts the API on demo data, on the loopback interface. ${connections} connections write ${requests} requests for /openapi.json each and read no answer,
for ${seconds} s. Meanwhile another caller asks for /health/live and for a list; each of its requests must be answered.

Exit codes: 0 the other caller was served throughout, 1 it was not, 2 wrong usage.
`,
  async run({ open }) {
    const flood = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n".repeat(requests);
    const sockets = Array.from({ length: connections }, open);
    for (const socket of sockets) socket.write(flood);
    await wait(seconds * 1000);
    return `${sockets.length} connections wrote ${requests} requests each.`;
  },
});
