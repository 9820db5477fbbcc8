import {
  proxyFieldDefaults,
  type Health,
  type Proxy,
  type ProxyKind,
  type ProxyProtocol,
  type ProxySoftware,
} from "@reports/core/inventory";
import { createSeededRandom, makeDemoId, type SeededRandom } from "./seeded-random.ts";
import {
  awkwardDescriptions,
  demoOwnerTeams,
  plainDescriptions,
  demoRegions,
  demoProxyTags,
  demoSoftwareReleases,
} from "./vocabulary.ts";

const dayMs = 86_400_000;
const firstDayAgo = 4 * 365;
const lastDayAgo = 3 * 365;

const softwareByKind: Readonly<Record<ProxyKind, readonly (readonly [ProxySoftware, number])[]>> = {
  REVERSE: [
    ["NGINX", 40],
    ["HAPROXY", 20],
    ["ENVOY", 16],
    ["TRAEFIK", 12],
    ["CADDY", 9],
    ["OTHER", 3],
  ],
  FORWARD: [
    ["SQUID", 80],
    ["OTHER", 20],
  ],
  STREAM: [
    ["HAPROXY", 60],
    ["ENVOY", 25],
    ["NGINX", 15],
  ],
};

const listenersByKind: Readonly<Record<ProxyKind, readonly (readonly [readonly [ProxyProtocol, number], number])[]>> = {
  REVERSE: [
    [["HTTPS", 443], 80],
    [["HTTPS", 8443], 12],
    [["HTTP", 80], 8],
  ],
  FORWARD: [
    [["HTTP", 3128], 75],
    [["SOCKS5", 1080], 25],
  ],
  STREAM: [
    [["TCP", 443], 60],
    [["TCP", 5432], 40],
  ],
};

function makeCreatedAt(index: number, count: number, asOf: Date): Date {
  const daysAgo = firstDayAgo - (firstDayAgo - lastDayAgo) * ((index + 0.5) / count);
  return new Date(Math.floor(asOf.getTime() - daysAgo * dayMs));
}

export function makeDemoProxyId(seed: number, index: number, count: number, asOf: Date): string {
  return makeDemoId(makeCreatedAt(index, count, asOf), createSeededRandom(seed, 2, index));
}

export function makeDemoProxy(seed: number, index: number, count: number, asOf: Date): Proxy {
  const random = createSeededRandom(seed, 1, index);
  const { region, site, countryCode } = random.pick(demoRegions);
  const kind = random.weighted<ProxyKind>([
    ["REVERSE", 84],
    ["FORWARD", 10],
    ["STREAM", 6],
  ]);
  const software = random.weighted(softwareByKind[kind]);
  const [protocol, port] = random.weighted(listenersByKind[kind]);
  const createdAt = makeCreatedAt(index, count, asOf);
  const name = `${site}-${kind === "REVERSE" ? "edge" : kind.toLowerCase()}-${String(index + 1).padStart(4, "0")}`;
  const ownerTeam = random.chance(0.06) ? null : random.pick(demoOwnerTeams);
  const health = random.weighted<Health>([
    ["UP", 86],
    ["DEGRADED", 6],
    ["DOWN", 3],
    ["UNKNOWN", 5],
  ]);
  const lastCheckedAt = health === "UNKNOWN" ? null : new Date(asOf.getTime() - random.integer(5_000, 600_000));
  return {
    ...proxyFieldDefaults,
    id: makeDemoProxyId(seed, index, count, asOf),
    name,
    description:
      index % 4 === 1
        ? awkwardDescriptions[(index >> 2) % awkwardDescriptions.length]!
        : random.pick(plainDescriptions),
    ownerTeam,
    contactEmail: ownerTeam === null ? null : `noc+${site}@example.com`,
    tags: pickTags(random),
    kind,
    software,
    softwareVersion: random.pick(demoSoftwareReleases[software]),
    address: makeAddress(index, name, region),
    port,
    protocol,
    region,
    countryCode,
    environment: random.weighted([
      ["PROD", 70],
      ["STAGING", 18],
      ["DEV", 12],
    ]),
    adminState: random.weighted([
      ["ENABLED", 90],
      ["DISABLED", 4],
      ["DRAINING", 3],
      ["MAINTENANCE", 3],
    ]),
    health,
    lastCheckedAt,
    latencyMsP95:
      lastCheckedAt === null || health === "DOWN"
        ? null
        : Math.round(2 + 40 * random.next() ** 3 * (health === "DEGRADED" ? 40 : 4)),
    maxConnections: random.weighted([
      [null, 2],
      [1024, 2],
      [4096, 4],
      [65_536, 2],
    ]),
    createdAt,
    updatedAt: lastCheckedAt ?? createdAt,
  };
}

function makeAddress(index: number, name: string, region: string): string {
  const group = index % 8;
  if (group === 5) return `2001:db8:${(index >> 12).toString(16)}:${((index & 0xfff) + 1).toString(16)}::1`;
  if (group === 6) return `${name}.${region}.example.net`;
  if (group === 7 && index < 8 * 254) return `${["192.0.2", "198.51.100", "203.0.113"][index % 3]}.${(index >> 3) + 1}`;
  const host = index + 257;
  return `10.${(host >> 16) & 255}.${(host >> 8) & 255}.${host & 255}`;
}

function pickTags(random: SeededRandom): string[] {
  const start = random.integer(0, demoProxyTags.length - 1);
  return Array.from(
    { length: random.integer(0, 4) },
    (_, step) => demoProxyTags[(start + step * 5) % demoProxyTags.length]!,
  );
}
