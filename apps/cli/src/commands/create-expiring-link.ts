import { GatewayError, type CreatedDownloadLink, type DownloadLinks } from "@reports/client";
import { usageError } from "../command-error.ts";
import { formatSeconds } from "../input/duration.ts";

/** Creates a link that expires after `expiresMs` ms. Default: the longest time that the gateway allows. */
export async function createExpiringLink(
  links: Pick<DownloadLinks, "create">,
  expiresMs: number | undefined,
  signal: AbortSignal,
): Promise<CreatedDownloadLink> {
  const input = expiresMs === undefined ? {} : { expiresInSeconds: Math.max(1, Math.floor(expiresMs / 1000)) };
  try {
    return await links.create(input, { signal });
  } catch (error) {
    const issues = error instanceof GatewayError ? error.issues : [];
    const issue = issues.find(({ pointer }) => pointer === "/expiresInSeconds");
    if (issue === undefined) throw error;
    // Only this message contains the gateway's maximum in seconds. The command does not print the message itself, because it names the API's field
    // instead of the flag.
    const [, most] = / to (\d+)\.$/.exec(issue.message) ?? [];
    const allowed = most === undefined ? "less than that" : `${formatSeconds(Number(most))} at most`;
    throw usageError(`--expires: The gateway's links live for ${allowed}.`);
  }
}
