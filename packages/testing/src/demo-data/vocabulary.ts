import type { CertKeyType, ProxySoftware } from "@reports/core/inventory";

export const demoRegions = [
  { region: "eu-central-1", site: "fra", countryCode: "DE" },
  { region: "eu-west-1", site: "dub", countryCode: "IE" },
  { region: "eu-north-1", site: "sto", countryCode: "SE" },
  { region: "eu-south-2", site: "mad", countryCode: "ES" },
  { region: "us-east-1", site: "iad", countryCode: "US" },
  { region: "us-west-2", site: "pdx", countryCode: "US" },
  { region: "sa-east-1", site: "gru", countryCode: "BR" },
  { region: "ap-northeast-1", site: "nrt", countryCode: "JP" },
  { region: "ap-southeast-2", site: "syd", countryCode: "AU" },
  { region: "me-central-1", site: "dxb", countryCode: "AE" },
] as const;

export const demoOwnerTeams = [
  "Edge Platform",
  "Payments",
  "Storefront",
  "Identity & Access",
  "Data Platform",
  "Netzwerk München",
  "Équipe Médias",
  "Инфраструктура",
  "Ομάδα Δικτύου",
  "チーム・エッジ",
  "צוות רשת",
  "فريق الشبكة",
  "=Finance",
  "+Growth",
  "-Legacy-",
  "@Security",
  'Quotes "R" Us, Inc.',
  "🚀 Launch",
] as const;

export const demoSoftwareReleases: Readonly<Record<ProxySoftware, readonly (string | null)[]>> = {
  NGINX: ["1.29.3", "1.28.0", "1.26.3", "1.18.0-6ubuntu14.4"],
  HAPROXY: ["3.2.8", "3.0.12", "2.8.16", "2.4.22"],
  CADDY: ["2.10.2", "2.9.1", "2.7.6"],
  TRAEFIK: ["3.6.1", "3.5.4", "2.11.29"],
  ENVOY: ["1.36.2", "1.35.6", "1.31.10"],
  SQUID: ["7.3", "6.14", "5.9"],
  OTHER: [null, "=1+1"],
};

export const demoProxyTags = [
  "edge",
  "internal",
  "pci",
  "gdpr",
  "canary",
  "legacy",
  "ipv6",
  "critical",
  "semi;colon",
  "com,ma",
  "=tag",
  "größe",
];

/** Descriptions that naive file writers break on, such as formulas, line breaks and right-to-left script. */
export const awkwardDescriptions = [
  '=HYPERLINK("https://example.com/","click") was pasted by an import',
  "+49 30 901820 is the pager of the people on call",
  "- decommission after the third quarter -",
  '@oncall-edge: "do not restart" before 06:00, please',
  "First line\nsecond line, with a comma\r\nthird line; and a semicolon\tand a tab",
  "Ready for take-off 🚀👩🏽‍💻 — café, naïve, Straße, Łódź",
  "שרת הקצה של הצוות, לא לכבות",
  "خادم الحافة للفريق (لا توقفه)",
  "東京のエッジサーバー。再起動しないでください。",
  "Пограничный сервер, Διακομιστής ακμής",
  "'quoted' `ticks` \"double\" \\ backslash % percent _ underscore <b>not markup</b> & so on",
  "A long story. ".repeat(120).trim(),
] as const;

export const plainDescriptions = [
  "",
  "Ends TLS for the public sites of the region.",
  "Takes requests of partner companies.",
  "Way out of the office network.",
  "In front of the payment services.",
  "Rolls out releases before the other proxies do.",
] as const;

export const demoSubdomains = [
  "www",
  "api",
  "shop",
  "app",
  "auth",
  "static",
  "cdn",
  "mail",
  "status",
  "docs",
  "portal",
  "admin",
  "img",
  "media",
  "pay",
  "login",
  "tracking",
  "git",
  "wiki",
  "*",
] as const;

export const companyFirstWords = [
  "acme",
  "nordwind",
  "blue-river",
  "weber",
  "contoso",
  "sunrise",
  "vega",
  "alpine",
  "harbor",
  "lotus",
  "maple",
  "orbit",
  "pixel",
  "quarry",
  "rosen",
  "solaris",
  "terra",
  "umbra",
  "vista",
  "zephyr",
  "bücher",
  "müller",
  "café",
  "łódź",
  "straße",
] as const;

export const companySecondWords = [
  "logistics",
  "foods",
  "bank",
  "travel",
  "media",
  "energy",
  "health",
  "labs",
  "motors",
  "books",
  "music",
  "garden",
  "sports",
  "cloud",
  "optics",
  "textiles",
] as const;

export const nonLatinCompanyWords = ["例え", "пример", "δοκιμή", "مثال", "דוגמה", "उदाहरण", "예시", "示例"] as const;

/** Names that are reserved for documentation and tests (RFC 2606, RFC 6761). */
export const reservedDomainSuffixes = ["example", "example.com", "example.net", "example.org", "test"] as const;

export const weightedAcmeCertIssuers: readonly (readonly [
  { issuer: string; keyType: CertKeyType; days: number },
  number,
])[] = [
  [{ issuer: "Let's Encrypt R12", keyType: "RSA2048", days: 90 }, 40],
  [{ issuer: "Let's Encrypt E7", keyType: "ECDSA-P256", days: 90 }, 34],
  [{ issuer: "Let's Encrypt E8", keyType: "ECDSA-P384", days: 6 }, 3],
  [{ issuer: "Google Trust Services WE1", keyType: "ECDSA-P256", days: 90 }, 14],
  [{ issuer: "ZeroSSL ECC Domain Secure Site CA", keyType: "ECDSA-P256", days: 90 }, 9],
];

export const weightedCustomCertIssuers: readonly (readonly [
  { issuer: string; keyType: CertKeyType; days: number },
  number,
])[] = [
  [{ issuer: "DigiCert Global G2 TLS RSA SHA256 2020 CA1", keyType: "RSA2048", days: 397 }, 40],
  [{ issuer: "Sectigo RSA Organization Validation Secure Server CA", keyType: "RSA4096", days: 365 }, 25],
  [{ issuer: "GlobalSign GCC R6 AlphaSSL CA 2025", keyType: "RSA2048", days: 397 }, 15],
  [{ issuer: "Example Corp Issuing CA 3", keyType: "RSA3072", days: 825 }, 16],
  [{ issuer: '@Home "Private" CA, Übung', keyType: "ED25519", days: 3650 }, 4],
];
