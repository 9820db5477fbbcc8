import type { Report, ReportFile } from "@reports/client";
import { session } from "../shell/session.ts";

/** Downloads a file by navigating to a link with a token. A plain navigation sends no credentials, and a fetch would hold up to 2 GiB in memory. */
export async function downloadFile(
  report: Pick<Report, "id">,
  file: Pick<ReportFile, "id" | "fileName">,
): Promise<void> {
  const { gateway } = session.value!;
  const { url } = await gateway.reports.links(report.id, file.id).create();
  const anchor = document.createElement("a");
  anchor.href = requireHttpUrlOrThrow(url);
  // With the attribute `download`, an expired link appears as a failed download, and its error response does not replace the page.
  anchor.download = file.fileName;
  anchor.click();
}

/** Returns the URL of a download link. Throws if it is not http or https, because a `javascript:` URL would run in the page. */
export function requireHttpUrlOrThrow(url: string): string {
  if (["https:", "http:"].includes(new URL(url, location.href).protocol)) return url;
  throw new Error("The link is not a web address. Tell the operator of the gateway.");
}
