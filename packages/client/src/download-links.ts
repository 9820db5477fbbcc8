import type { CallOptions } from "./call-options.ts";
import { call, remove } from "./transport/call.ts";
import type { Transport } from "./transport/send.ts";
import type { CreatedDownloadLink, DownloadLink, DownloadLinkInput } from "./wire/download-link.ts";

/** The links to one file. docs/contract.md §5.5. */
export interface DownloadLinks {
  /** Makes a link, whose address is told this once; absolute, by `baseUrl` where the gateway does not know its own address. */
  create(input?: DownloadLinkInput, options?: CallOptions): Promise<CreatedDownloadLink>;
  /** The living ones: the caller's own, for administrators everybody's. */
  list(options?: CallOptions): Promise<readonly DownloadLink[]>;
  /** Ends a link. Succeeds, too, where it has ended already. */
  revoke(linkId: string, options?: CallOptions): Promise<void>;
}

export function linksOf(transport: Transport, reportId: string, fileId: string): DownloadLinks {
  const path = ["reports", reportId, "files", fileId, "links"];
  return {
    async create(body = {}, options) {
      const made = await call<CreatedDownloadLink>(transport, "POST", path, options, { body });
      return { ...made, url: new URL(made.url, transport.baseUrl).href };
    },
    list: async (options) => call(transport, "GET", path, options),
    revoke: async (linkId, options) => remove(transport, [...path, linkId], options),
  };
}
