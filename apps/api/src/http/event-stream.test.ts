import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { measureReachableBytes } from "@reports/testing";
import { expect, test, vi } from "vitest";
import { formatServerSentEvent, addHeartbeats } from "./event-stream.ts";

test("a server-sent event has one line of data even if the data has line breaks", () => {
  expect(formatServerSentEvent({ event: "status", id: "7", data: { text: "a\nb\r\u2028" } })).toBe(
    'event: status\nid: 7\ndata: {"text":"a\\nb\\r\u2028"}\n\n',
  );
  expect(formatServerSentEvent({ event: "progress", data: null })).toBe("event: progress\ndata: null\n\n");
});

test("addHeartbeats inserts heartbeats while its source is silent, and loses no text", async () => {
  const gate = Promise.withResolvers<void>();
  async function* source() {
    yield "a";
    await gate.promise;
    yield "b";
  }
  const received: string[] = [];
  for await (const text of addHeartbeats(source(), 1)) {
    received.push(text);
    if (received.filter((one) => one.startsWith(": ")).length === 3) gate.resolve();
  }
  expect(received[0]).toMatch(/^retry: \d+\n\n$/);
  expect(received.filter((text) => !text.startsWith(": ")).slice(1)).toEqual(["a", "b"]);
  expect(received.filter((text) => text === ": still here\n\n").length).toBeGreaterThanOrEqual(3);
});

test("addHeartbeats uses constant memory however long its source is silent", async () => {
  const never = new Promise<void>(() => undefined);
  async function* source() {
    await never;
    yield "a";
  }
  // With faked timers, the test does not wait for the heartbeats.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const texts = addHeartbeats(source(), 15_000);
    const hear = async (times: number): Promise<void> => {
      for (let time = 0; time < times; time++) {
        const next = texts.next();
        vi.advanceTimersByTime(15_000);
        await next;
      }
    };
    await hear(200);
    const before = await measureReachableBytes();
    await hear(4_000);
    expect((await measureReachableBytes()) - before).toBeLessThan(400_000);
  } finally {
    vi.useRealTimers();
  }
});

test("addHeartbeats asks its source for no more text while the reader reads nothing", async () => {
  let made = 0;
  async function* source() {
    for (; made < 100_000; made++) yield "x".repeat(1_000);
  }
  const stuck = Promise.withResolvers<void>();
  const reader = new Writable({
    highWaterMark: 16_384,
    write: () => stuck.resolve(),
  });
  const leaving = new AbortController();
  const sending = pipeline(Readable.from(addHeartbeats(source(), 60_000), { highWaterMark: 1 }), reader, {
    signal: leaving.signal,
  });
  sending.catch(() => undefined);
  await stuck.promise;
  // In these turns of the event loop, a source that did not wait for its reader would produce more events.
  for (let turns = 0; turns < 1_000; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(made).toBeLessThan(30);
  leaving.abort();
  await expect(sending).rejects.toThrow();
});

test("a disconnected reader ends the event stream's source, whose errors are ignored", async () => {
  const left = Promise.withResolvers<void>();
  let isEnded = false;
  async function* source() {
    try {
      yield "a";
      await left.promise;
      throw new Error("too late");
    } finally {
      isEnded = true;
    }
  }
  const stream = addHeartbeats(source(), 1);
  await stream.next();
  await stream.next();
  expect((await stream.next()).value).toBe(": still here\n\n");
  const ending = stream.return(undefined);
  left.resolve();
  await ending.catch(() => undefined);
  expect(isEnded).toBe(true);
});
