import type { SeededRandom } from "@reports/testing";
import type { FuzzOperation, FuzzInputs } from "./fuzz-inputs.ts";

const proxyBody = {
  name: "edge",
  kind: "REVERSE",
  address: "192.0.2.1",
  port: 80,
  protocol: "HTTP",
  tags: ["a"],
  countryCode: "DE",
};
const domainBody = {
  hostname: "example.org",
  upstreamScheme: "HTTP",
  upstreamHost: "a.b",
  upstreamPort: 80,
  tlsMode: "NONE",
};
const reportBody = { reportType: "PROXY", format: "csv", searchParam: { q: "a", health: ["DOWN"] }, timezone: "UTC" };
const oddNumbers = ["1e999", "-0", "9007199254740993", "1e-400", "0.1e1", "99999999999999999999999", "01", "-", "NaN"];
const bodyLimit = 256 * 1024;

export function fuzzBody(random: SeededRandom, inputs: FuzzInputs, operation: FuzzOperation): Buffer {
  const json = (): string => JSON.stringify(changeTemplate(random, inputs, templateOf(random, operation)));
  return random.weighted<() => Buffer>([
    [() => Buffer.from(json()), 50],
    [() => flipBytes(random, Buffer.from(json())), 12],
    [() => Buffer.from(random.pick(inputs.bodies)), 12],
    [() => randomBytes(random, random.integer(0, 3_000)), 6],
    [() => Buffer.from(random.pick(["[", '{"a":', '{"a":[']).repeat(random.integer(1, 40_000))), 4],
    [() => Buffer.from(nestObject(random.integer(1, 200))), 3],
    // A JSON string with invalid UTF-8.
    [() => Buffer.concat([Buffer.from('{"name":"'), randomBytes(random, 8), Buffer.from('"}')]), 5],
    [() => Buffer.from(`{"port":${random.pick(oddNumbers)}}`), 3],
    [() => Buffer.from(`\ufeff${json()}`), 2],
    [() => Buffer.alloc(random.integer(bodyLimit - 10, bodyLimit * 3), "[1,"), 1],
    [() => Buffer.alloc(0), 2],
  ])();
}

export function randomBytes(random: SeededRandom, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.integer(0, 255)));
}

function templateOf(random: SeededRandom, { path }: FuzzOperation): Record<string, unknown> {
  if (path.includes("domains")) return { ...domainBody, hostname: `h${random.bits()}.example.org` };
  if (path.includes("proxies")) {
    return { ...proxyBody, name: `edge-${random.bits()}`, address: `h${random.bits()}.example.org` };
  }
  return path.includes("{")
    ? { status: "CANCELLED" }
    : { ...reportBody, reportType: random.pick(["PROXY", "PROXY_DOMAIN"]) };
}

function changeTemplate(random: SeededRandom, inputs: FuzzInputs, template: Record<string, unknown>): unknown {
  if (random.chance(0.35)) return template;
  if (random.chance(0.05)) return random.pick([null, true, 0, "text", [], [template]]);
  const value = (): unknown =>
    random.pick<() => unknown>([
      () => random.pick(inputs.texts),
      () => random.pick([null, true, -1, 1e308, 2 ** 53, 0.5, "", [], {}]),
      () => Array.from({ length: random.integer(1, 30) }, () => random.pick(inputs.texts)),
      () => ({ [random.pick(inputs.texts)]: random.pick(inputs.texts) }),
      () => "x".repeat(random.integer(1, 5_000)),
      () => String.fromCharCode(random.integer(0, 0xffff), random.integer(0xd800, 0xdfff)),
    ])();
  const entries = Object.entries(template)
    .filter(() => !random.chance(0.1))
    .map(([name, given]) => [name, random.chance(0.2) ? value() : given] as const);
  if (random.chance(0.2)) entries.push([random.pick([...inputs.texts, "id", "createdAt", "proxyId"]), value()]);
  return Object.fromEntries(entries);
}

function flipBytes(random: SeededRandom, bytes: Buffer): Buffer {
  for (let left = random.integer(1, 4); left > 0; left--)
    bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255);
  return bytes;
}

function nestObject(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
}
