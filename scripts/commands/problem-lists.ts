import { runAttack } from "./attacks/attack-command.ts";
import { repeatRequest } from "./attacks/repeat-request.ts";

const seconds = 20;

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
    const seen = await Promise.all(requests.map(async (request) => repeatRequest(open(), () => request, until)));
    const told = seen.map(({ counts, bytes }) => {
      const answers = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return `${answers} answers of ${Math.round(bytes / answers)} bytes`;
    });
    return `${told.join(", ")}.`;
  },
});
