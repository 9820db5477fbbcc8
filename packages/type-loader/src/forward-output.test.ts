import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { forwardOutput } from "./forward-output.ts";

async function forward(chunks: readonly string[]): Promise<{ text: string; closed: boolean }> {
  const output = new PassThrough();
  let text = "";
  forwardOutput(output, 5, (chunk) => (text += chunk.toString()));
  for (const chunk of chunks) {
    output.write(chunk, () => undefined);
    await new Promise(setImmediate);
  }
  return { text, closed: output.destroyed };
}

test("output of a child process within its limit is passed on, and its pipe stays open", async () => {
  expect(await forward(["abc", "de"])).toEqual({ text: "abcde", closed: false });
});

test("output of a child process above its limit is cut, and its pipe closed", async () => {
  expect(await forward(["abc", "defg", "hij"])).toEqual({
    text: "abcde\nThe output was cut after 5 bytes.\n",
    closed: true,
  });
});
