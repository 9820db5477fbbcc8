import type { CallOptions } from "./call-options.ts";
import { resourcesAt } from "./resource.ts";
import type { Transport } from "./transport/send.ts";
import type { CreatedDownloadLink, DownloadLink, DownloadLinkInput } from "./wire/generated/download-link.ts";

/** The links to one file. docs/reference/resources/download-links.md#links. */
export interface DownloadLinks {
  /** Makes a link, whose address is told this once; absolute, by `baseUrl` where the gateway does not know its own address. */
  create(input?: DownloadLinkInput, options?: CallOptions): Promise<CreatedDownloadLink>;
  /** The living ones: the caller's own, for administrators everybody's. */
  list(options?: CallOptions): Promise<readonly DownloadLink[]>;
  /** Ends a link. Succeeds, too, where it has ended already. */
  revoke(linkId: string, options?: CallOptions): Promise<void>;
}

export function linksOf(transport: Transport, reportId: string, fileId: string): DownloadLinks {
  const at = resourcesAt(transport, "reports", reportId, "files", fileId, "links");
  return {
    async create(body = {}, options) {
      const made = await at().post<CreatedDownloadLink>(body, options);
      return { ...made, url: new URL(made.url, transport.baseUrl).href };
    },
    list: at().get,
    revoke: async (linkId, options) => at(linkId).remove(options),
  };
}
