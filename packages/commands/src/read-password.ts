import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CommandExitError } from "./command-line.ts";

const minPasswordLength = 12;
const maxPasswordBytes = 1024;

/**
 * The place from which a password is read. It is never a command-line argument, because other users of the machine and the shell's history could
 * show it.
 */
export interface PasswordSource {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WritableStream;
  readonly generate: boolean;
  readonly signal: AbortSignal;
}

export async function readPassword({ input, output, generate, signal }: PasswordSource): Promise<string> {
  if (generate) return randomBytes(18).toString("base64url");
  if (!input.isTTY) return checkPassword((await text(input)).split(/\r?\n/, 1)[0] ?? "");
  // readline echoes the typed password to its output, so this output discards everything.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: silent, terminal: true });
  terminal.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const ask = async (prompt: string): Promise<string> => {
      output.write(prompt);
      const answer = await terminal.question("", { signal });
      output.write("\n");
      return answer;
    };
    const password = checkPassword(await ask("Password: "));
    if ((await ask("Again: ")) !== password)
      throw new CommandExitError("The two passwords differ; nothing was changed. Run the command again.");
    return password;
  } finally {
    terminal.close();
  }
}

function checkPassword(password: string): string {
  if (password.length < minPasswordLength || Buffer.byteLength(password) > maxPasswordBytes) {
    throw new CommandExitError(
      `A password must have at least ${minPasswordLength} characters and at most ${maxPasswordBytes} bytes; --generate makes one.`,
    );
  }
  return password;
}
