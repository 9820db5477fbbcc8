import { z } from "zod";
import { idField } from "../query/id-field.ts";

/** The body of a request for a link. docs/contract.md §5.5. */
export const downloadLinkInputSchema = z
  .strictObject({
    expiresInSeconds: z
      .int()
      .min(1)
      .nullish()
      .meta({ description: "For how long it lives; as long as the deployment allows by default, and no longer." }),
  })
  .meta({ id: "DownloadLinkInput" });

/** The body of a request for a link. docs/contract.md §5.5. */
export type DownloadLinkInput = z.input<typeof downloadLinkInputSchema>;

/** A link that was made. docs/contract.md §5.5. */
export const createdDownloadLinkSchema = z
  .strictObject({
    id: idField("By which it is revoked."),
    url: z.string().meta({
      description:
        "Gives the file to whoever has it. Absolute where the deployment knows its own address, else a path. Shown only once.",
    }),
    expiresAt: z.iso.datetime().meta({ description: "When it ends, unless it is ended before." }),
  })
  .meta({ id: "CreatedDownloadLink", description: "A link by which a file is downloaded without credentials." });

/** A link that was made. docs/contract.md §5.5. */
export type CreatedDownloadLink = z.output<typeof createdDownloadLinkSchema>;

/** A living link in a list. docs/contract.md §5.5. */
export const downloadLinkSchema = z
  .strictObject({
    id: idField("By which it is revoked."),
    createdBy: z.string().meta({ description: "The principal that made it." }),
    createdAt: z.iso.datetime().meta({ description: "When it was made." }),
    expiresAt: z.iso.datetime().meta({ description: "When it ends, unless it is ended before." }),
  })
  .meta({ id: "DownloadLink", description: "A living link to a file, without its address, which is shown only once." });

/** A living link in a list. docs/contract.md §5.5. */
export type DownloadLink = z.output<typeof downloadLinkSchema>;
