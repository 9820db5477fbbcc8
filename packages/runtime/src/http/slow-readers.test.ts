import { expect, test } from "vitest";
import { createSlowReaderDetector } from "./slow-readers.ts";

/** A chunk of 64 KiB takes 64 s at the minimum rate of 1 KiB per second. */
const limits = { bytesPerSecond: 1024, patienceMs: 60_000 };
const chunk = 64 * 1024;

test("a reader without progress for longer than the minimum rate allows is too slow", () => {
  const isTooSlow = createSlowReaderDetector(limits);
  const reader = { bytesWritten: 3 * chunk, writableLength: chunk };
  expect(isTooSlow(reader, 1_000)).toBe(false);
  expect(isTooSlow(reader, 65_000)).toBe(false);
  expect(isTooSlow(reader, 65_001)).toBe(true);
});

test("each chunk that a caller reads in time restarts the caller's time limit", () => {
  const isTooSlow = createSlowReaderDetector(limits);
  for (let chunks = 1; chunks <= 100; chunks++) {
    const reader = { bytesWritten: chunks * chunk, writableLength: chunk };
    expect(isTooSlow(reader, chunks * 64_000)).toBe(false);
    expect(isTooSlow(reader, chunks * 64_000 + 63_999)).toBe(false);
  }
});

test("a caller's earlier fast reading does not extend the time limit", () => {
  const isTooSlow = createSlowReaderDetector(limits);
  for (let chunks = 1; chunks <= 100; chunks++)
    expect(isTooSlow({ bytesWritten: chunks * chunk, writableLength: chunk }, chunks)).toBe(false);
  expect(isTooSlow({ bytesWritten: 100 * chunk, writableLength: chunk }, 64_101)).toBe(true);
});

test("a reader is not slow while no bytes wait", () => {
  const isTooSlow = createSlowReaderDetector(limits);
  const reader = { bytesWritten: chunk, writableLength: 0 };
  expect(isTooSlow(reader, 0)).toBe(false);
  expect(isTooSlow(reader, 1e9)).toBe(false);
  expect(isTooSlow({ bytesWritten: 2 * chunk, writableLength: chunk }, 1e9 + 60_000)).toBe(false);
});

test("a few bytes may wait for patienceMs before their reader is too slow", () => {
  const isTooSlow = createSlowReaderDetector(limits);
  const reader = { bytesWritten: 10, writableLength: 10 };
  expect(isTooSlow(reader, 1e9)).toBe(false);
  expect(isTooSlow(reader, 1e9 + 60_000)).toBe(false);
  expect(isTooSlow(reader, 1e9 + 60_001)).toBe(true);
});
