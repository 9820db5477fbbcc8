import { setTimeout as wait } from "node:timers/promises";
import { runAttack } from "./attacks/attack-command.ts";

const connections = 2_500;
const seconds = 20;

await runAttack({
  name: "idle connections",
  help: `Usage: pnpm idle-connections

Starts the API on demo data, on the loopback interface, and opens ${connections} connections from one address, which ask once and stay for ${seconds} s.
Meanwhile another caller, of another address, opens connections of its own and asks for /health/live and for a list.

Exit codes: 0 the other caller was served throughout, 1 it was not, 2 wrong usage.
`,
  async run({ open }) {
    const sockets = Array.from({ length: connections }, open);
    for (const socket of sockets) {
      socket.resume();
      // One that has asked for something may stay idle for a minute; one that has not is dropped after ten seconds.
      socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n");
    }
    await wait(seconds * 1000);
    return `${sockets.filter(({ closed }) => !closed).length} of ${connections} connections are held.`;
  },
});
