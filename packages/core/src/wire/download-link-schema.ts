import { z } from "zod";
import { downloadLinkRecord } from "../report/lifecycle/download-link-record.ts";

/** The body of a request for a link. docs/reference/resources/download-links.md#links. */
export const downloadLinkInputSchema = z
  .strictObject({
    expiresInSeconds: z
      .int()
      .min(1)
      .nullish()
      .meta({ description: "Seconds until the link expires. The default is the maximum that the deployment allows." }),
  })
  .meta({ id: "DownloadLinkInput" });

/** The body of a request for a link. docs/reference/resources/download-links.md#links. */
export type DownloadLinkInput = z.input<typeof downloadLinkInputSchema>;

const { id, expiresAt } = downloadLinkRecord.answer.shape;

/** The response to a created link, with its URL. docs/reference/resources/download-links.md#links. */
export const createdDownloadLinkSchema = z
  .strictObject({
    id,
    url: z.string().meta({
      description:
        "Address that downloads the file without credentials. It is an absolute URL if the deployment has a PUBLIC_URL, else a path. Only this response contains it.",
    }),
    expiresAt,
  })
  .meta({ id: "CreatedDownloadLink", description: "A link by which a file is downloaded without credentials." });

/** The response to a created link, with its URL. docs/reference/resources/download-links.md#links. */
export type CreatedDownloadLink = z.output<typeof createdDownloadLinkSchema>;

/** An unexpired link in a list. docs/reference/resources/download-links.md#links. */
export const downloadLinkSchema = downloadLinkRecord.answer;

/** An unexpired link in a list. docs/reference/resources/download-links.md#links. */
export type DownloadLink = z.output<typeof downloadLinkSchema>;
