import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { constants, getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FencedOutError, HostFailureError } from "@reports/core/base";
import type { RenderProgress, RenderRequest } from "@reports/core/report";
import { createLogger } from "@reports/runtime";
import { collectGarbage, newReport, isProcessAlive, waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { typesEnvironment } from "@reports/type-loader";
import { plainBrand } from "../brand/brand.ts";
import { createRendererPool } from "./renderer-pool.ts";

async function startPool(
  settings: {
    maxRssBytes?: number;
    recycleRssBytes?: number;
    environment?: Record<string, string>;
    directory?: string;
    /** Registers what closes the pool. Default: it closes when the test ends. */
    onEnd?: (close: () => Promise<void>) => void;
  } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "renderer-pool-"));
  const choice = { modules: ["acme"], directory: settings.directory ?? "/installed", builtIn: true };
  const unusable: Error[] = [];
  const pool = createRendererPool({
    entry: fileURLToPath(new URL("renderer-under-test.fixture.ts", import.meta.url)),
    settings: {
      sources: { main: { url: "postgres://unused", engine: "postgres" } },
      csvFormulaGuard: true,
      brand: plainBrand,
      reportTypes: choice,
    },
    environment: settings.environment ?? typesEnvironment(process.env, "TYPES_", ["NODE_COMPILE_CACHE"]),
    size: 1,
    maxHeapMebibytes: 64,
    maxRssBytes: settings.maxRssBytes ?? 1024 ** 3,
    recycleRssBytes: settings.recycleRssBytes ?? 1024 ** 3,
    abortGraceMs: 200,
    onUnusable: (error) => unusable.push(error),
    logger: createLogger({ name: "test", level: "silent" }),
  });
  const close = async (): Promise<void> => {
    pool.close();
    await rm(folder, { recursive: true });
  };
  (settings.onEnd ?? onTestFinished)(close);
  await pool.start();
  let count = 0;
  const render = (
    title: string,
    signal: AbortSignal = new AbortController().signal,
    changes: Partial<RenderRequest> = {},
  ) => {
    const spoolPath = join(folder, String(++count));
    const seen: RenderProgress[] = [];
    const times: (number | undefined)[] = [];
    const result = pool.render(
      { ...request, ...changes, title, spoolPath },
      {
        signal,
        onProgress(progress, atMs) {
          seen.push(progress);
          times.push(atMs);
        },
      },
    );
    return { result, spoolPath, seen, times };
  };
  const pidOf = async (): Promise<number> => {
    const { result, spoolPath } = render("succeed");
    await result;
    return Number(await readFile(spoolPath, "utf8"));
  };
  return { pool, render, pidOf, choice, unusable };
}

const request: RenderRequest = {
  reportId: "id",
  attempt: 1,
  reportType: "PROXY",
  title: "",
  requestedBy: "basic:alice",
  requesterName: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  now: "2026-01-01T00:00:00.000Z",
  searchParam: {},
  options: newReport().options,
  spoolPath: "",
  maxSpoolBytes: 1,
  maxRows: 1,
  runTimeLimitMs: 60_000,
  keptRowsPath: null,
};

/** A pool for tests whose processes can render again afterwards. */
let shared: Awaited<ReturnType<typeof startPool>>;
let closeShared: (() => Promise<void>) | undefined;
beforeAll(async () => {
  shared = await startPool({ onEnd: (close) => (closeShared = close) });
});
afterAll(async () => closeShared?.());

describe("renderer processes", () => {
  it("make report after report in one warm process, and tell how far they are", async () => {
    const { render, pidOf } = shared;
    const pid = await pidOf();
    const before = Date.now();
    const { result, seen, times } = render("succeed");
    await expect(result).resolves.toMatchObject({ rowCount: 2 });
    expect(seen).toEqual([{ phase: "rendering", rowsDone: 1, rowsTotal: 2 }]);
    // By the clock of the renderer, which is the same one here.
    expect(times.map((atMs) => atMs! >= before && atMs! <= Date.now())).toEqual([true]);
    expect(await pidOf()).toBe(pid);
  });

  it("leave nothing of a report in the worker once it is over", async () => {
    const { render } = shared;
    const results: WeakRef<object>[] = [];
    for (let count = 0; count < 5; count++) results.push(new WeakRef(await render("succeed").result));
    await expect
      .poll(() => {
        collectGarbage();
        return results.filter((result) => result.deref() !== undefined);
      })
      .toEqual([]);
  });

  it.each([
    ["refuse the data", { name: "PermanentReportError", code: "INVALID_DATA", message: "The data make no sense." }],
    ["lose the database", { name: "StoreUnavailableError" }],
    ["have a bug", { name: "Error", message: "TypeError: x is not a function" }],
  ])("that %s say so, and go on", async (title, error) => {
    const { render, pidOf } = shared;
    const pid = await pidOf();
    await expect(render(title).result).rejects.toMatchObject(error);
    expect(await pidOf()).toBe(pid);
  });

  it.each([
    ["crash", "RENDERER_CRASHED"],
    ["fill the heap", "OUT_OF_MEMORY"],
    ["fill the memory", "OUT_OF_MEMORY"],
  ])("that %s end one attempt, leave no file, and are replaced", async (title, code) => {
    const { render, pidOf } = await startPool({ maxRssBytes: 400 * 1024 ** 2 });
    const pid = await pidOf();
    const { result, spoolPath } = render(title);
    await expect(result).rejects.toMatchObject({ name: "RendererCrashError", code });
    expect(existsSync(spoolPath)).toBe(false);
    expect(await pidOf()).not.toBe(pid);
    await waitFor(() => !isProcessAlive(pid), { what: "the old process to end" });
  });

  it.each(["loop for ever", "wait until it is stopped"])(
    "that %s end when the report is stopped, with its reason",
    async (title) => {
      const { render, pidOf } = shared;
      const stop = new AbortController();
      const { result, spoolPath } = render(title, stop.signal);
      await waitFor(() => existsSync(spoolPath), { what: "the renderer to begin" });
      const reason = new FencedOutError("id", 1);
      stop.abort(reason);
      await expect(result).rejects.toBe(reason);
      expect(existsSync(spoolPath)).toBe(false);
      await pidOf();
    },
  );

  it("that never give the processor back end at the report's run-time limit", async () => {
    const { render, pidOf } = shared;
    const pid = await pidOf();
    const { result, spoolPath } = render("loop for ever", undefined, { runTimeLimitMs: 50 });
    await expect(result).rejects.toMatchObject({
      name: "PermanentReportError",
      code: "RUN_TIME_LIMIT_EXCEEDED",
    });
    expect(existsSync(spoolPath)).toBe(false);
    expect(await pidOf()).not.toBe(pid);
  });

  it("that say what this channel does not have are not listened to", async () => {
    const { render, pidOf } = shared;
    const pid = await pidOf();
    await expect(render("say nothing of use").result).resolves.toMatchObject({ rowCount: 2 });
    expect(await pidOf()).toBe(pid);
  });

  it("that tell of a report which is over are not listened to", async () => {
    const { render } = shared;
    await render("tell more when it is over").result;
    const { result, seen } = render("outlast what was left behind");
    await result;
    expect(seen).toEqual([{ phase: "rendering", rowsDone: 1, rowsTotal: 2 }]);
  });

  it.each(["say half of a progress", "say half of an end", "say half of a success"])(
    "that %s are replaced, and end no worker",
    async (deed) => {
      const { render, pidOf } = shared;
      const pid = await pidOf();
      await expect(render(deed).result).rejects.toMatchObject({ code: "RENDERER_CRASHED" });
      expect(await pidOf()).not.toBe(pid);
      await expect(render("succeed").result).resolves.toMatchObject({ rowCount: 2 });
    },
  );

  it("end with what a report throws where nobody awaits it, but not with what one has left behind", async () => {
    const { render, pidOf } = shared;
    const pid = await pidOf();
    await render("leave things behind").result;
    await expect(render("outlast what was left behind").result).resolves.toMatchObject({ rowCount: 2 });
    expect(await pidOf()).toBe(pid);
    await expect(render("throw where nobody awaits").result).rejects.toMatchObject({ code: "RENDERER_CRASHED" });
    expect(await pidOf()).not.toBe(pid);
  });

  it("give way to the API with every thread, and so do those that take their place", async () => {
    const { render, pidOf } = shared;
    const prioritiesOf = async (pid: number): Promise<number[]> => {
      // Only Linux has a priority for each thread.
      const threads = await readdir(`/proc/${pid}/task`).catch(() => [String(pid)]);
      return [...new Set(threads.map((thread) => getPriority(Number(thread))))];
    };
    expect(await prioritiesOf(await pidOf())).toEqual([constants.priority.PRIORITY_BELOW_NORMAL]);
    await expect(render("crash").result).rejects.toMatchObject({ name: "RendererCrashError" });
    expect(await prioritiesOf(await pidOf())).toEqual([constants.priority.PRIORITY_BELOW_NORMAL]);
  });

  it("give way in sessions of their own, where processors are shared out among sessions, and take their worker's along in nothing", async (context) => {
    const session = (pid: number | "self"): Promise<string> => readFile(`/proc/${pid}/autogroup`, "utf8");
    const own = await session("self").catch(() =>
      context.skip("this kernel does not share processors out among sessions"),
    );
    const { pidOf } = shared;
    const pid = await pidOf();
    await expect
      .poll(async () => session(pid), { timeout: 30_000 })
      .toContain(`nice ${constants.priority.PRIORITY_BELOW_NORMAL}`);
    expect(await session("self")).toBe(own);
  });

  it("have an environment of a few variables by name, those for report types, and those that their worker names", async () => {
    const { render } = await startPool({
      environment: typesEnvironment(
        { PATH: "/bin", DATABASE_URL: "postgres://a", OURS: "1", TYPES_REGION: "eu", LANG: undefined },
        "TYPES_",
        ["OURS"],
      ),
    });
    const told = await render("tell its environment").result.catch(
      (error: Error) => JSON.parse(error.message) as object,
    );
    expect(told).toEqual({ PATH: "/bin", OURS: "1", TYPES_REGION: "eu", MALLOC_MMAP_THRESHOLD_: "131072" });
  });

  it("are replaced once they have grown too large", async () => {
    const { pidOf } = await startPool({ recycleRssBytes: 1 });
    const pid = await pidOf();
    expect(await pidOf()).not.toBe(pid);
    await waitFor(() => !isProcessAlive(pid), { what: "the old process to end" });
  });

  it("that cannot load their report types keep the pool from starting", async () => {
    await expect(startPool({ directory: "/removed" })).rejects.toMatchObject({
      name: "ConfigurationError",
      problems: [{ variable: "REPORT_TYPES", message: "acme: it is gone." }],
    });
  });

  it("that can no longer load their report types hand reports back and are told of once", async () => {
    const { render, choice, unusable } = await startPool();
    choice.directory = "/removed";
    await expect(render("crash").result).rejects.toMatchObject({ name: "RendererCrashError" });
    await expect(render("succeed").result).rejects.toMatchObject({ name: "HostFailureError", part: "renderers" });
    expect(unusable).toEqual([]);
    await expect(render("succeed").result).rejects.toMatchObject({ name: "ShutdownError" });
    await expect(render("succeed").result).rejects.toMatchObject({ name: "ShutdownError" });
    expect(unusable).toMatchObject([{ name: "ConfigurationError" }]);
  });

  it("that can no longer load their report types are reported by a proof too", async () => {
    const { pool, choice, unusable } = await startPool();
    choice.directory = "/removed";
    await expect(pool.prove()).rejects.toMatchObject({ name: "HostFailureError", part: "renderers" });
    await expect(pool.prove()).rejects.toMatchObject({ name: "ShutdownError" });
    await expect(pool.prove()).rejects.toMatchObject({ name: "ShutdownError" });
    expect(unusable).toMatchObject([{ name: "ConfigurationError" }]);
  });

  it("that fail to load their report types once do not end the worker", async () => {
    const { pool, choice, unusable } = await startPool();
    for (let count = 0; count < 2; count++) {
      choice.directory = "/removed";
      await expect(pool.prove()).rejects.toMatchObject({ name: "HostFailureError", part: "renderers" });
      choice.directory = "/installed";
      await pool.prove();
    }
    expect(unusable).toEqual([]);
  });

  it("that cannot load their report types because of the host do not end the worker", async () => {
    const { pool, choice, unusable } = await startPool();
    choice.directory = "/unreadable";
    for (let count = 0; count < 3; count++)
      await expect(pool.prove()).rejects.toMatchObject({ name: "HostFailureError", part: "renderers" });
    expect(unusable).toEqual([]);
    choice.directory = "/installed";
    await pool.prove();
  });

  it("all end with the pool", async () => {
    const { pool, pidOf, render } = await startPool();
    const pid = await pidOf();
    pool.close();
    await waitFor(() => !isProcessAlive(pid), { what: "the process to end" });
    await expect(render("succeed").result).rejects.toMatchObject({ name: "RendererCrashError" });
  });
});

describe("a host on which no process can be started", () => {
  /** Longer than any variable of Linux may be: every start of a process fails with E2BIG. */
  const tooLong = "x".repeat(4 * 1024 * 1024);
  const open = async (settings: Parameters<typeof startPool>[0] = {}) => {
    const environment = { ...typesEnvironment(process.env, "TYPES_", ["NODE_COMPILE_CACHE"]) };
    return { environment, ...(await startPool({ ...settings, environment })) };
  };

  it("is a failure of the host and not of the report, until one can be started again", async () => {
    const { environment, pool, render, pidOf } = await open();
    process.kill(await pidOf(), "SIGKILL");
    environment["TYPES_LONG"] = tooLong;
    const failure = { name: "HostFailureError", part: "renderers" };
    await waitFor(
      async () => {
        const error: unknown = await render("succeed").result.catch((reason: unknown) => reason);
        return error instanceof HostFailureError && error.part === "renderers";
      },
      { what: "the loss of the process to be seen" },
    );
    await expect(pool.prove()).rejects.toMatchObject(failure);
    delete environment["TYPES_LONG"];
    await pool.prove();
    await render("succeed").result;
  });

  it("does not take away the result of a report whose process is to be replaced", async () => {
    const { environment, render } = await open({ recycleRssBytes: 1 });
    environment["TYPES_LONG"] = tooLong;
    expect(await render("succeed").result).toMatchObject({ rowCount: 2 });
    await expect(render("succeed").result).rejects.toMatchObject({ name: "HostFailureError", part: "renderers" });
  });
});
