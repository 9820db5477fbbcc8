import { once } from "node:events";
import type { Socket } from "node:net";
import { runAttack } from "./attacks/attack-command.ts";

const seconds = 20;

/** Asks the same again and again, each request when the answer before it is there. */
async function repeat(socket: Socket, request: string, until: number): Promise<{ answers: number; bytes: number }> {
  const seen = { answers: 0, bytes: 0 };
  socket.resume();
  while (performance.now() < until) {
    socket.write(request);
    let length = Number.POSITIVE_INFINITY;
    for (let answer = ""; answer.length < length;) {
      const [chunk] = (await once(socket, "data")) as [Buffer];
      answer += chunk.toString("latin1");
      const [head = ""] = answer.split("\r\n\r\n", 1);
      if (head.length < answer.length) length = head.length + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      seen.bytes += chunk.length;
    }
    seen.answers += 1;
  }
  return seen;
}

await runAttack({
  name: "problem lists",
  help: `Usage: pnpm problem-lists

Starts the API on demo data, on the loopback interface. For ${seconds} s, one connection asks /health/live with 7,500 malformed pairs, and one of a
caller with a token posts a body of 20,000 unknown fields, again and again. Meanwhile another caller asks for /health/live and for a list.

Exit codes: 0 the other caller was served throughout, 1 it was not, 2 wrong usage.
`,
  async run({ open, token }) {
    const until = performance.now() + seconds * 1000;
    const body = `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(",")}}`;
    const requests = [
      `GET /health/live?${"%&".repeat(7_500)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `POST /v1/proxies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ];
    const seen = await Promise.all(requests.map(async (request) => repeat(open(), request, until)));
    return (
      seen.map(({ answers, bytes }) => `${answers} answers of ${Math.round(bytes / answers)} bytes`).join(", ") + "."
    );
  },
});
