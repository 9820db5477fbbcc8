import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLaneGate, LaneBusyError } from "./lane-gate.ts";

const all = ["quick", "bulk", "suspect"] as const;

/** Work that runs until it is told to end. */
function hold(gate: ReturnType<typeof createLaneGate>, lane: (typeof all)[number]) {
  const done = Promise.withResolvers<void>();
  const run = gate.run(lane, () => done.promise);
  return async (): Promise<void> => {
    done.resolve();
    await run;
  };
}

describe("a worker's lanes", () => {
  it("keep one slot free of long reports, so that a short one finds a place", async () => {
    const gate = createLaneGate({ lanes: all, concurrency: 3 });
    const first = hold(gate, "bulk");
    expect(gate.closed()).toEqual(["suspect"]);
    const second = hold(gate, "bulk");
    expect(gate.closed()).toEqual(["bulk", "suspect"]);
    await first();
    expect(gate.closed()).toEqual(["suspect"]);
    await second();
    expect(gate.closed()).toEqual([]);
  });

  it("give long reports every slot where no short ones are served", async () => {
    const gate = createLaneGate({ lanes: ["bulk"], concurrency: 1 });
    expect(gate.closed()).toEqual(["quick", "suspect"]);
    const end = hold(gate, "bulk");
    expect(gate.closed()).toEqual([...all]);
    await end();
  });

  it("give a suspect the worker alone: it begins when nothing runs, and nothing begins while it runs", async () => {
    const gate = createLaneGate({ lanes: all, concurrency: 4 });
    const endQuick = hold(gate, "quick");
    await expect(gate.run("suspect", async () => "ran")).rejects.toBeInstanceOf(LaneBusyError);
    await endQuick();
    expect(gate.runsSuspect()).toBe(false);
    const endSuspect = hold(gate, "suspect");
    expect(gate.runsSuspect()).toBe(true);
    expect(gate.closed()).toEqual([...all]);
    await expect(gate.run("quick", async () => "ran")).rejects.toBeInstanceOf(LaneBusyError);
    await endSuspect();
    expect(await gate.run("quick", async () => "ran")).toBe("ran");
  });

  it("are closed for all but suspects while room is made for one, and open again once it has run", async () => {
    const gate = createLaneGate({ lanes: all, concurrency: 2 });
    let used = 0;
    expect(gate.mayMakeRoom()).toBe(true);
    gate.makeRoom(60_000, () => used++);
    expect(gate.mayMakeRoom()).toBe(false);
    expect(gate.closed()).toEqual(["quick", "bulk"]);
    expect(used).toBe(0);
    await gate.run("suspect", async () => undefined);
    expect(used).toBe(1);
    expect(gate.closed()).toEqual([]);
  });

  describe("by the clock", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
    afterEach(() => void vi.useRealTimers());

    it("are closed for the next suspect only after other work had as much time as the last one took", async () => {
      const gate = createLaneGate({ lanes: all, concurrency: 2 });
      const end = hold(gate, "suspect");
      vi.advanceTimersByTime(5_000);
      expect(gate.mayMakeRoom()).toBe(false);
      await end();
      expect(gate.closed()).toEqual([]);
      vi.advanceTimersByTime(4_999);
      expect(gate.mayMakeRoom()).toBe(false);
      vi.advanceTimersByTime(1);
      expect(gate.mayMakeRoom()).toBe(true);
    });

    it("are open again when no suspect has begun in time", async () => {
      const gate = createLaneGate({ lanes: all, concurrency: 2 });
      gate.makeRoom(30_000, () => expect.unreachable());
      vi.advanceTimersByTime(30_000);
      expect(gate.closed()).toEqual([]);
      expect(gate.mayMakeRoom()).toBe(true);
      await gate.run("suspect", async () => undefined);
    });

    it("tell for how long the oldest work runs", async () => {
      const gate = createLaneGate({ lanes: all, concurrency: 2 });
      expect(gate.oldestRunMs()).toBe(0);
      const endFirst = hold(gate, "quick");
      vi.advanceTimersByTime(1_000);
      const endSecond = hold(gate, "quick");
      vi.advanceTimersByTime(500);
      expect(gate.oldestRunMs()).toBe(1_500);
      await endFirst();
      expect(gate.oldestRunMs()).toBe(500);
      await endSecond();
      expect(gate.oldestRunMs()).toBe(0);
    });
  });

  it("open again when work breaks", async () => {
    const gate = createLaneGate({ lanes: all, concurrency: 1 });
    await expect(
      gate.run("suspect", async () => {
        throw new Error("broken");
      }),
    ).rejects.toThrow("broken");
    expect(gate.closed()).toEqual([]);
  });
});
