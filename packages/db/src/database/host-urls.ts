import { StoreUnavailableError } from "@reports/core/base";
import { ServerRefusedError } from "./store-error.ts";

export function splitHostUrls(url: string): readonly string[] {
  const [, scheme, credentials = "", hosts, rest] = /^([a-z]+:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (hosts === undefined || !hosts.includes(",")) return [url];
  return hosts.split(",").map((host) => `${scheme}${credentials}${host}${rest}`);
}

/**
 * Returns the result of `attempt` for the first host that responds. If none does, rejects with StoreUnavailableError if any host was unavailable,
 * because a retry may succeed, or else with ServerRefusedError.
 */
export async function tryHosts<Host, Result>(
  hosts: readonly Host[],
  attempt: (host: Host) => Promise<Result>,
): Promise<Result> {
  let failure: StoreUnavailableError | ServerRefusedError | undefined;
  for (const host of hosts) {
    try {
      return await attempt(host);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError || error instanceof ServerRefusedError)) throw error;
      if (!(failure instanceof StoreUnavailableError) || error instanceof StoreUnavailableError) failure = error;
    }
  }
  throw failure ?? new StoreUnavailableError("The source of the rows is not configured here.");
}
