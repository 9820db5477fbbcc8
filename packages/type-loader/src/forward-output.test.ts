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

test("the output of a process within its limit is passed on and stays open", async () => {
  expect(await forward(["abc", "de"])).toEqual({ text: "abcde", closed: false });
});

test("the output of a process above its limit is cut and closed", async () => {
  expect(await forward(["abc", "defg", "hij"])).toEqual({
    text: "abcde\nThe output was cut after 5 bytes.\n",
    closed: true,
  });
});
