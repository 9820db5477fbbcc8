import { describe, expect, it } from "vitest";
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
    gate.makeRoom(60_000);
    expect(gate.closed()).toEqual(["quick", "bulk"]);
    await gate.run("suspect", async () => undefined);
    expect(gate.closed()).toEqual([]);
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
