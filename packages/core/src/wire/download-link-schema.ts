import { z } from "zod";
import { linkRecord } from "../report/lifecycle/link-record.ts";

/** The body of a request for a link. docs/reference/resources/download-links.md#links. */
export const downloadLinkInputSchema = z
  .strictObject({
    expiresInSeconds: z
      .int()
      .min(1)
      .nullish()
      .meta({ description: "For how long it lives; as long as the deployment allows by default, and no longer." }),
  })
  .meta({ id: "DownloadLinkInput" });

/** The body of a request for a link. docs/reference/resources/download-links.md#links. */
export type DownloadLinkInput = z.input<typeof downloadLinkInputSchema>;

const { id, expiresAt } = linkRecord.answer.shape;

/** A link that was made. docs/reference/resources/download-links.md#links. */
export const createdDownloadLinkSchema = z
  .strictObject({
    id,
    url: z.string().meta({
      description:
        "Downloads the file without credentials. An absolute URL if the deployment has a PUBLIC_URL, else a path. Shown only once.",
    }),
    expiresAt,
  })
  .meta({ id: "CreatedDownloadLink", description: "A link by which a file is downloaded without credentials." });

/** A link that was made. docs/reference/resources/download-links.md#links. */
export type CreatedDownloadLink = z.output<typeof createdDownloadLinkSchema>;

/** A living link in a list. docs/reference/resources/download-links.md#links. */
export const downloadLinkSchema = linkRecord.answer;

/** A living link in a list. docs/reference/resources/download-links.md#links. */
export type DownloadLink = z.output<typeof downloadLinkSchema>;
