import type { CallOptions } from "./call-options.ts";
import { createResourceClientFactory } from "./resource-client.ts";
import type { Transport } from "./transport/send.ts";
import type { CreatedDownloadLink, DownloadLink, DownloadLinkInput } from "./wire/generated/download-link.ts";

/** Creates, lists and revokes the download links of one file. docs/reference/resources/download-links.md#links. */
export interface DownloadLinks {
  /** Creates a link. Only this response contains its URL, which the client makes absolute by `baseUrl`. */
  create(input?: DownloadLinkInput, options?: CallOptions): Promise<CreatedDownloadLink>;
  /** Lists the active links of the file. Administrators get the links of all callers, and other callers only their own. */
  list(options?: CallOptions): Promise<readonly DownloadLink[]>;
  /** Revokes a link. Succeeds if the link has already ended. */
  revoke(linkId: string, options?: CallOptions): Promise<void>;
}

export function createDownloadLinkMethods(transport: Transport, reportId: string, fileId: string): DownloadLinks {
  const at = createResourceClientFactory(transport, "reports", reportId, "files", fileId, "links");
  return {
    async create(body = {}, options) {
      const created = await at().post<CreatedDownloadLink>(body, options);
      return { ...created, url: new URL(created.url, transport.baseUrl).href };
    },
    list: at().get,
    revoke: async (linkId, options) => at(linkId).remove(options),
  };
}
