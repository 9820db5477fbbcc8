/** What Node and the system's libraries take from the environment, and nothing of the service's own. */
const passedOn = ["PATH", "TZ", "LANG", "NODE_EXTRA_CA_CERTS"];

/**
 * The environment of renderer processes: a few variables by name out of the worker's. Functions of report types run there, and may be other
 * people's; passwords, keys and whatever else the deployment gives its processes is not for them. What a renderer needs of the settings
 * comes over its channel.
 * @param alsoPassedOn names of further variables.
 */
export function rendererEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  alsoPassedOn: readonly string[] = [],
): Readonly<Record<string, string>> {
  const names = [...passedOn, ...alsoPassedOn];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
