import type { Report, ReportFile } from "@reports/client";
import { session } from "../shell/session.ts";

/** Downloads a file by a download link, because a navigation sends no credentials and a fetch would hold up to 2 GiB in memory. */
export async function downloadFile(
  report: Pick<Report, "id">,
  file: Pick<ReportFile, "id" | "fileName">,
): Promise<void> {
  const { gateway } = session.value!;
  const { url } = await gateway.reports.links(report.id, file.id).create();
  const anchor = document.createElement("a");
  anchor.href = checkedLinkUrl(url);
  // With `download`, an expired link fails as a download and does not replace the page.
  anchor.download = file.fileName;
  anchor.click();
}

/** Returns the URL of a link. Throws if it is not a web address. */
export function checkedLinkUrl(url: string): string {
  if (["https:", "http:"].includes(new URL(url, location.href).protocol)) return url;
  throw new Error("The link is not a web address. Tell the operator of the gateway.");
}
