import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createOutput } from "../output/command-output.ts";
import { writeNewestRecords } from "./newest.ts";

async function writeNumbers(count: number, { isTTY, limit = 2 }: { readonly isTTY: boolean; readonly limit?: number }) {
  const streams = {
    stdout: Object.assign(new PassThrough(), { isTTY }),
    stderr: Object.assign(new PassThrough(), { isTTY }),
  };
  const output = createOutput(streams, {
    now: () => 0,
    terminal: "dumb",
    onUnwritable: ({ message }) => expect.unreachable(message),
  });
  const columns = [{ heading: "NUMBER", text: String }];
  async function* numbers(): AsyncGenerator<number, void> {
    for (let number = 1; number <= count; number++) yield number;
  }
  await writeNewestRecords({ output }, { columns, json: false, limit }, numbers);
  return { out: String(streams.stdout.read() ?? ""), err: String(streams.stderr.read() ?? "") };
}

test("an empty list says on a terminal that there are no records, and is silent in a pipe", async () => {
  expect(await writeNumbers(0, { isTTY: true })).toEqual({ out: "", err: "There are none.\n" });
  expect(await writeNumbers(0, { isTTY: false })).toEqual({ out: "", err: "" });
});

test("a list prints at most the limit, and says if there are more records", async () => {
  const more = "These are the newest 2; --limit all lists all.\n";
  expect(await writeNumbers(2, { isTTY: false })).toEqual({ out: "1\n2\n", err: "" });
  expect(await writeNumbers(3, { isTTY: false })).toEqual({ out: "1\n2\n", err: more });
  expect(await writeNumbers(3, { isTTY: false, limit: Infinity })).toEqual({ out: "1\n2\n3\n", err: "" });
});
