import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** Longer input cannot be a token, because a token must fit into the headers of a request. */
const maxSecretLength = 16_384;

/** Reads one line from standard input. On a terminal, prints `prompt` first and does not echo the input. */
export async function askSecret(
  input: NodeJS.ReadableStream & { readonly isTTY?: boolean },
  {
    prompt,
    say,
    signal,
  }: { readonly prompt: string; readonly say: (text: string) => void; readonly signal: AbortSignal },
): Promise<string> {
  const isTerminal = input.isTTY === true;
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  // `createInterface` turns off the terminal's echo. It precedes the prompt, because a user may paste the secret as soon as the prompt is shown.
  const lines = createInterface({ input, output, terminal: isTerminal });
  try {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    lines.once("line", resolve);
    lines.once("close", () => resolve(""));
    // A terminal in raw mode sends Ctrl-C as a character instead of a signal.
    lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    input.once("error", () => resolve(""));
    if (isTerminal) say(prompt);
    return (await promise).slice(0, maxSecretLength).trim();
  } finally {
    lines.close();
  }
}
