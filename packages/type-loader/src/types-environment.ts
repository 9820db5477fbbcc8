/**
 * Environment variables that decide which certificate authorities Node trusts. Processes that run report types get them from the API or worker that
 * starts them, to connect to the same servers.
 */
export const tlsTrustVariables = ["NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA", "SSL_CERT_FILE", "SSL_CERT_DIR"];

const allowedVariables = ["PATH", "TZ", "LANG", ...tlsTrustVariables];

/** Returns the environment variables that functions of report types see: those with an allowed name or with the prefix. */
export function selectReportTypeEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  prefix: string,
  additionalNames: readonly string[] = [],
): Readonly<Record<string, string>> {
  const names = new Set([...allowedVariables, ...additionalNames]);
  const allowed = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (names.has(entry[0]) || entry[0].startsWith(prefix)),
  );
  return Object.fromEntries(allowed);
}
