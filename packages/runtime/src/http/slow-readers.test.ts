import { expect, test } from "vitest";
import { createSlowReaderCheck } from "./slow-readers.ts";

/** 64 KiB at 1 KiB a second are 64 seconds. */
const limits = { bytesPerSecond: 1024, patienceMs: 60_000 };
const chunk = 64 * 1024;

test("who takes nothing of a chunk for longer than it lasts at the lowest rate is too slow", () => {
  const isTooSlow = createSlowReaderCheck(limits);
  const reader = { bytesWritten: 3 * chunk, writableLength: chunk };
  expect(isTooSlow(reader, 1_000)).toBe(false);
  expect(isTooSlow(reader, 65_000)).toBe(false);
  expect(isTooSlow(reader, 65_001)).toBe(true);
});

test("who takes a chunk in time may begin anew, for as long as there is something to take", () => {
  const isTooSlow = createSlowReaderCheck(limits);
  for (let chunks = 1; chunks <= 100; chunks++) {
    const reader = { bytesWritten: chunks * chunk, writableLength: chunk };
    expect(isTooSlow(reader, chunks * 64_000)).toBe(false);
    expect(isTooSlow(reader, chunks * 64_000 + 63_999)).toBe(false);
  }
});

test("what was taken quickly before is no credit", () => {
  const isTooSlow = createSlowReaderCheck(limits);
  for (let chunks = 1; chunks <= 100; chunks++)
    expect(isTooSlow({ bytesWritten: chunks * chunk, writableLength: chunk }, chunks)).toBe(false);
  expect(isTooSlow({ bytesWritten: 100 * chunk, writableLength: chunk }, 64_101)).toBe(true);
});

test("while nothing waits nobody is slow, however long it takes until there is more", () => {
  const isTooSlow = createSlowReaderCheck(limits);
  const reader = { bytesWritten: chunk, writableLength: 0 };
  expect(isTooSlow(reader, 0)).toBe(false);
  expect(isTooSlow(reader, 1e9)).toBe(false);
  expect(isTooSlow({ bytesWritten: 2 * chunk, writableLength: chunk }, 1e9 + 60_000)).toBe(false);
});

test("nobody is cut off for a few bytes within the patience, which begins when they are first seen to wait", () => {
  const isTooSlow = createSlowReaderCheck(limits);
  const reader = { bytesWritten: 10, writableLength: 10 };
  expect(isTooSlow(reader, 1e9)).toBe(false);
  expect(isTooSlow(reader, 1e9 + 60_000)).toBe(false);
  expect(isTooSlow(reader, 1e9 + 60_001)).toBe(true);
});
