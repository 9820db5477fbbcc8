import { expect, test } from "vitest";
import { startProcess } from "../stand/start-process.ts";

const module = JSON.stringify(new URL("free-port.ts", import.meta.url).href);
const search = `
  Math.random = () => 0.5;
  const { findFreePort } = await import(${module});
  console.log("found", await findFreePort(), await findFreePort(), "end");
  setInterval(() => undefined, 1000);`;

test("running processes that start their search at the same port find different ports", async () => {
  await using processes = new AsyncDisposableStack();
  const searches = [1, 2, 3].map((count) =>
    processes.use(
      startProcess({ name: `search-${count}`, args: ["--input-type=module", "--eval", search], environment: {} }),
    ),
  );
  await Promise.all(searches.map(async (each) => each.waitForLog("end")));
  const ports = searches.flatMap(({ log }) => /found (\d+) (\d+) end/.exec(log())!.slice(1));
  expect([ports.length, new Set(ports).size]).toEqual([6, 6]);
});
