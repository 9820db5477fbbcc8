import { parseHostname } from "@reports/core/query";
import {
  domainFieldDefaults,
  type Domain,
  type DomainStatus,
  type TlsMinVersion,
  type TlsMode,
  type UpstreamScheme,
} from "@reports/core/inventory";
import { createSeededRandom, makeDemoId, type SeededRandom } from "./seeded-random.ts";
import {
  weightedAcmeCertIssuers,
  companyFirstWords,
  companySecondWords,
  weightedCustomCertIssuers,
  nonLatinCompanyWords,
  reservedDomainSuffixes,
  demoSubdomains,
} from "./vocabulary.ts";

const dayMs = 86_400_000;
const firstDayAgo = 3 * 365;

export interface DemoDomainContext {
  readonly seed: number;
  readonly proxies: number;
  readonly domains: number;
  readonly asOf: Date;
  proxyId(index: number): string;
  site(company: number): DemoCompanyHostname;
}

export interface DemoCompanyHostname {
  readonly ascii: string;
  readonly unicode: string;
}

export function makeDemoDomain(scale: DemoDomainContext, index: number): Domain {
  const { seed, proxies, asOf } = scale;
  const random = createSeededRandom(seed, 3, index);
  // Every 25th domain repeats the host of the domain before it on the next proxy. So some hosts are on several proxies.
  const isDuplicateHost = index % 25 === 24 && proxies > 1;
  const proxyIndex = isDuplicateHost ? (chooseProxy(scale, index - 1) + 1) % proxies : chooseProxy(scale, index);
  const createdAt = new Date(Math.floor(asOf.getTime() - firstDayAgo * dayMs * (1 - index / scale.domains)));
  const status = random.weighted<DomainStatus>([
    ["ACTIVE", 90],
    ["PENDING", 4],
    ["SUSPENDED", 4],
    ["FAILED", 2],
  ]);
  const tlsMode = random.weighted<TlsMode>([
    ["ACME", 68],
    ["CUSTOM", 20],
    ["NONE", 8],
    ["PASSTHROUGH", 4],
  ]);
  const endsTls = tlsMode === "ACME" || tlsMode === "CUSTOM";
  const httpsForced = endsTls && random.chance(0.85);
  const lastCheckedAt = status === "PENDING" ? null : new Date(asOf.getTime() - random.integer(5_000, 3_600_000));
  return {
    ...domainFieldDefaults,
    id: makeDemoId(createdAt, random),
    proxyId: scale.proxyId(proxyIndex),
    ...makeHost(scale, isDuplicateHost ? index - 1 : index),
    status,
    ...makeUpstream(index, tlsMode, random),
    tlsMode,
    tlsMinVersion: endsTls ? pickTlsMinVersion(random) : null,
    ...makeCertificate(tlsMode, asOf, random),
    httpsForced,
    hstsEnabled: httpsForced && random.chance(0.8),
    http2Enabled: endsTls && random.chance(0.9),
    ...makeTraffic(status, random),
    lastCheckedAt,
    createdAt,
    updatedAt: lastCheckedAt ?? createdAt,
  };
}

function chooseProxy({ seed, proxies }: DemoDomainContext, index: number): number {
  return Math.floor(proxies * createSeededRandom(seed, 4, index).next() ** 2);
}

function makeHost(scale: DemoDomainContext, index: number): Pick<Domain, "hostname" | "hostnameAscii" | "pathPrefix"> {
  const service = demoSubdomains[index % demoSubdomains.length]!;
  const company = Math.floor(index / demoSubdomains.length);
  const { ascii, unicode } = scale.site(company);
  const pathPrefix = index % 17 === 3 ? `/v${(index % 3) + 1}/${service === "*" ? "all" : service}` : "/";
  return { hostname: `${service}.${unicode}`, hostnameAscii: `${service}.${ascii}`, pathPrefix };
}

export function makeDemoCompanyHostname(company: number): DemoCompanyHostname {
  const written = `${makeCompany(company)}.${reservedDomainSuffixes[company % reservedDomainSuffixes.length]!}`;
  const host = parseHostname(written);
  if (!host.ok) throw new Error(`The demo data's vocabulary makes a bad host name: ${written} ${host.reason}.`);
  return { ascii: host.ascii, unicode: host.unicode };
}

function makeCompany(company: number): string {
  const names = companyFirstWords.length * companySecondWords.length;
  const round = Math.floor(company / names);
  const name =
    company % 23 === 7
      ? `${nonLatinCompanyWords[company % nonLatinCompanyWords.length]}${Math.floor(company / 23) + 1}`
      : `${companyFirstWords[company % companyFirstWords.length]}-${companySecondWords[Math.floor(company / companyFirstWords.length) % companySecondWords.length]}`;
  return round === 0 || company % 23 === 7 ? name : `${name}-${round + 1}`;
}

function makeUpstream(
  index: number,
  tlsMode: TlsMode,
  random: SeededRandom,
): Pick<Domain, "upstreamScheme" | "upstreamHost" | "upstreamPort"> {
  const upstreamScheme =
    tlsMode === "PASSTHROUGH"
      ? "TCP"
      : random.weighted<UpstreamScheme>([
          ["HTTP", 70],
          ["HTTPS", 22],
          ["H2C", 8],
        ]);
  const node = index % 4000;
  const upstreamHost = random.chance(0.6) ? `172.16.${node >> 8}.${node & 255}` : `node-${node}.internal.example`;
  const upstreamPort =
    upstreamScheme === "HTTP" || upstreamScheme === "H2C"
      ? random.pick([80, 8080, 3000, 9000])
      : random.pick([443, 8443]);
  return { upstreamScheme, upstreamHost, upstreamPort };
}

function pickTlsMinVersion(random: SeededRandom): TlsMinVersion {
  return random.weighted<TlsMinVersion>([
    ["TLS1.2", 68],
    ["TLS1.3", 24],
    ["TLS1.1", 3],
    ["TLS1.0", 5],
  ]);
}

type Certificate = Pick<
  Domain,
  "certIssuer" | "certKeyType" | "certNotBefore" | "certNotAfter" | "certFingerprintSha256"
>;

function makeCertificate(tlsMode: TlsMode, asOf: Date, random: SeededRandom): Partial<Certificate> {
  if (tlsMode !== "ACME" && tlsMode !== "CUSTOM") return {};
  const { issuer, keyType, days } = random.weighted(
    tlsMode === "ACME" ? weightedAcmeCertIssuers : weightedCustomCertIssuers,
  );
  const share = random.weighted<readonly [number, number]>([
    [[0.34, 0.999], 90],
    [[0.1, 0.33], 5],
    [[0, 0.1], 3],
    [[-0.4, 0], 2],
  ]);
  const remainingDays = days * (share[0] + (share[1] - share[0]) * random.next());
  // Each certificate expires about half a day after a whole number of days. All reports of a test then show the same remaining days.
  const wholeDays = Math.floor(remainingDays);
  const endDays = wholeDays + 0.48 + 0.04 * (remainingDays - wholeDays);
  const end = Math.floor((asOf.getTime() + endDays * dayMs) / 1000) * 1000;
  return {
    certIssuer: issuer,
    certKeyType: keyType,
    certNotBefore: new Date(end - days * dayMs),
    certNotAfter: new Date(end),
    certFingerprintSha256: makeFingerprint(random),
  };
}

function makeFingerprint(random: SeededRandom): string {
  const bytes = Buffer.allocUnsafe(32);
  for (let offset = 0; offset < bytes.length; offset += 4) bytes.writeUInt32BE(random.bits(), offset);
  return bytes.toString("hex");
}

function makeTraffic(
  status: DomainStatus,
  random: SeededRandom,
): Partial<Pick<Domain, "requests24h" | "bytesOut24h" | "errorRate5xx24h">> {
  if (status === "PENDING") return {};
  const requests24h = Math.floor(Math.exp(random.next() * 16));
  const errors = status === "FAILED" ? 1 : random.chance(0.04) ? random.next() * 0.3 : random.next() ** 4 * 0.01;
  return {
    requests24h,
    bytesOut24h: requests24h * random.integer(800, 220_000),
    errorRate5xx24h: Math.round(errors * 1e6) / 1e6,
  };
}
