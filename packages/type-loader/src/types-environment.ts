/** What Node and the system's libraries take from the environment, and nothing of the service's own. */
const passedOn = ["PATH", "TZ", "LANG", "NODE_EXTRA_CA_CERTS"];

/**
 * The environment of processes in which functions of report types run: a few variables by name out of the service's, and those that
 * begin with the prefix. Passwords, keys and whatever else the deployment gives its processes is not for them.
 * @param alsoPassedOn names of further variables.
 */
export function typesEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  prefix: string,
  alsoPassedOn: readonly string[] = [],
): Readonly<Record<string, string>> {
  const names = new Set([...passedOn, ...alsoPassedOn]);
  const given = Object.entries(environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (names.has(entry[0]) || entry[0].startsWith(prefix)),
  );
  return Object.fromEntries(given);
}
