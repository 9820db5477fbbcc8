import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { askSecret } from "./ask-secret.ts";

test("askSecret turns off the terminal's echo before it shows the prompt", async () => {
  const events: string[] = [];
  const terminal = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => events.push(isRaw ? "echo off" : "echo on"),
  });
  const { signal } = new AbortController();
  const secret = askSecret(terminal, { prompt: "Token:", say: (text) => events.push(text), signal });
  terminal.write("a.b.c\r");
  expect(await secret).toBe("a.b.c");
  expect(events).toEqual(["echo off", "Token:", "echo on"]);
});
