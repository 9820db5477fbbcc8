import { startBenchServer } from "./data-set.ts";
import { readLimiter } from "./sections/read-limiter.ts";
await using server = await startBenchServer("/tmp/w-k-bench");
console.log(JSON.stringify(await readLimiter.run({ server, rounds: 9, domains: 1000, folder: "/tmp/w/k" }), null, 1));
