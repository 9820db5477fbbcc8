import type { ReportLane } from "@reports/core/base";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLaneSlotGate, type LaneSlotGateOptions } from "./lane-slot-gate.ts";

const all = ["quick", "bulk", "suspect"] as const;

function openGate(options: Partial<LaneSlotGateOptions> = {}) {
  const gate = createLaneSlotGate({ lanes: all, concurrency: 4, mayAcquire: () => true, ...options });
  const over = new AbortController();
  const entered: ReportLane[] = [];
  return {
    gate,
    over,
    async entered(): Promise<readonly ReportLane[]> {
      await new Promise((resolve) => setImmediate(resolve));
      return entered;
    },
    poll(lane: ReportLane, times = 1): void {
      for (let time = 0; time < times; time++) void gate.enter(lane, over.signal).then(() => entered.push(lane));
    },
    leave: (lane: ReportLane) => gate.leave(lane),
  };
}

describe("a worker's lanes", () => {
  it("long reports leave one slot of a worker free", async () => {
    const opened = openGate();
    opened.poll("bulk", 8);
    expect(await opened.entered()).toEqual(["bulk", "bulk", "bulk"]);
    opened.poll("quick");
    expect(await opened.entered()).toEqual(["bulk", "bulk", "bulk", "quick"]);
    opened.leave("quick");
    expect(await opened.entered()).toHaveLength(4);
    opened.leave("bulk");
    expect(await opened.entered()).toEqual(["bulk", "bulk", "bulk", "quick", "bulk"]);
  });

  it("short reports can use every slot", async () => {
    const opened = openGate();
    opened.poll("quick", 8);
    expect(await opened.entered()).toHaveLength(4);
  });

  it("without the lane quick, long reports use every slot; unserved lanes get none", async () => {
    const opened = openGate({ lanes: ["bulk"], concurrency: 2 });
    opened.poll("bulk", 3);
    opened.poll("quick");
    opened.poll("suspect");
    expect(await opened.entered()).toEqual(["bulk", "bulk"]);
  });

  it("with one slot, long and short reports take turns", async () => {
    const opened = openGate({ concurrency: 1 });
    opened.poll("bulk", 3);
    opened.poll("quick", 3);
    for (let end = 0; end < 5; end++) opened.leave((await opened.entered()).at(-1)!);
    expect(await opened.entered()).toEqual(["bulk", "quick", "bulk", "quick", "bulk", "quick"]);
  });

  it("lanes take turns for free slots, so that a backlog delays no other lane", async () => {
    const opened = openGate({ concurrency: 2 });
    opened.poll("quick", 50);
    opened.poll("bulk", 5);
    for (let end = 0; end < 8; end++) {
      await opened.entered();
      opened.leave("quick");
    }
    expect((await opened.entered()).filter((lane) => lane === "bulk")).toHaveLength(1);
    opened.leave("bulk");
    opened.leave("quick");
    expect((await opened.entered()).filter((lane) => lane === "bulk")).toHaveLength(2);
  });

  it("a quarantined report gets a slot only on an idle worker and excludes other jobs", async () => {
    const opened = openGate();
    opened.poll("quick");
    opened.poll("suspect", 2);
    expect(await opened.entered()).toEqual(["quick"]);
    opened.leave("quick");
    opened.poll("quick", 2);
    opened.poll("bulk");
    expect(await opened.entered()).toEqual(["quick", "suspect"]);
    opened.leave("suspect");
    const later = await opened.entered();
    expect(later.slice(2).toSorted()).toEqual(["bulk", "quick", "quick"]);
  });

  it("polls of all lanes wait while mayAcquire returns false, and then continue", async () => {
    let mayAcquire = false;
    const opened = openGate({ mayAcquire: () => mayAcquire });
    for (const lane of all) opened.poll(lane);
    expect(await opened.entered()).toEqual([]);
    mayAcquire = true;
    await vi.waitFor(async () => expect(await opened.entered()).toContain("quick"), { timeout: 45_000 });
  });

  it("every poll that waits for a slot resolves when its signal aborts", async () => {
    const opened = openGate({ concurrency: 1 });
    for (const lane of all) opened.poll(lane, 2);
    expect(await opened.entered()).toHaveLength(1);
    opened.over.abort();
    opened.poll("quick");
    expect(await opened.entered()).toHaveLength(7);
  });

  it("a drain stops other lanes until a quarantined report has run", async () => {
    const opened = openGate({ concurrency: 2 });
    let used = 0;
    expect(opened.gate.mayDrain()).toBe(true);
    opened.gate.drain(60_000, () => used++);
    expect(opened.gate.mayDrain()).toBe(false);
    opened.poll("quick");
    opened.poll("bulk");
    opened.poll("suspect");
    expect(await opened.entered()).toEqual(["suspect"]);
    expect(used).toBe(0);
    await opened.gate.run("suspect", async () => undefined);
    expect(used).toBe(1);
    opened.leave("suspect");
    expect(await opened.entered()).toEqual(["suspect", "quick", "bulk"].toSorted().toReversed());
  });

  describe("times of a drain", () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
    afterEach(() => void vi.useRealTimers());

    it("a drain may begin only as long after the last one as that one took", async () => {
      const { gate } = openGate({ concurrency: 2 });
      const done = Promise.withResolvers<void>();
      const run = gate.run("suspect", () => done.promise);
      vi.advanceTimersByTime(5_000);
      expect(gate.mayDrain()).toBe(false);
      done.resolve();
      await run;
      vi.advanceTimersByTime(4_999);
      expect(gate.mayDrain()).toBe(false);
      vi.advanceTimersByTime(1);
      expect(gate.mayDrain()).toBe(true);
    });

    it("a drain ends after its time limit if no quarantined report has begun", async () => {
      const opened = openGate({ concurrency: 2 });
      opened.gate.drain(30_000, () => expect.unreachable());
      opened.poll("quick");
      expect(await opened.entered()).toEqual([]);
      vi.advanceTimersByTime(30_000);
      opened.poll("bulk");
      expect(await opened.entered()).toHaveLength(2);
      expect(opened.gate.mayDrain()).toBe(true);
    });

    it("oldestRunMs returns the age of the oldest running job in ms", async () => {
      const { gate } = openGate({ concurrency: 2 });
      expect(gate.oldestRunMs()).toBe(0);
      const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const runs = [gate.run("quick", () => first.promise)];
      vi.advanceTimersByTime(1_000);
      runs.push(gate.run("quick", () => second.promise));
      vi.advanceTimersByTime(500);
      expect(gate.oldestRunMs()).toBe(1_500);
      first.resolve();
      await runs[0];
      expect(gate.oldestRunMs()).toBe(500);
      second.resolve();
      await runs[1];
      expect(gate.oldestRunMs()).toBe(0);
    });
  });

  it("a job whose work throws no longer counts as running", async () => {
    const { gate } = openGate();
    await expect(
      gate.run("suspect", async () => {
        throw new Error("broken");
      }),
    ).rejects.toThrow("broken");
    expect(gate.oldestRunMs()).toBe(0);
  });
});
