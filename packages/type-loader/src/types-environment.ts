/** Variables of Node and system libraries, and none of the service's. */
const allowedNames = ["PATH", "TZ", "LANG", "NODE_EXTRA_CA_CERTS"];

/** Returns the environment of report types' functions, without passwords and keys: variables by name or prefix. */
export function typesEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  prefix: string,
  additionalNames: readonly string[] = [],
): Readonly<Record<string, string>> {
  const names = new Set([...allowedNames, ...additionalNames]);
  const allowed = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (names.has(entry[0]) || entry[0].startsWith(prefix)),
  );
  return Object.fromEntries(allowed);
}
