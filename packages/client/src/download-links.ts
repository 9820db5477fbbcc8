import type { CallOptions } from "./call-options.ts";
import { discard, jsonOf } from "./transport/answer.ts";
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
    async create(input = {}, { signal } = {}) {
      const made = await transport.send({ method: "POST", path, body: input, signal }, jsonOf<CreatedDownloadLink>);
      return { ...made, url: new URL(made.url, transport.baseUrl).href };
    },
    list: async ({ signal } = {}) => transport.send({ method: "GET", path, signal }, jsonOf<readonly DownloadLink[]>),
    async revoke(linkId, { signal } = {}) {
      await transport.send({ method: "DELETE", path: [...path, linkId], signal }, discard);
    },
  };
}
