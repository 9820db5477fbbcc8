import { z } from "zod";
import { defineRecord } from "../../record/define-record.ts";
import { sameSchemaKind, id, time } from "../../record/field-kinds.ts";
import { serverSetField, type RecordOf } from "../../record/field.ts";

const linkFields = {
  id: serverSetField(id(), { about: "ID of the link, with which it can be revoked." }),
  createdBy: serverSetField(sameSchemaKind(z.string()), { about: "The principal that created the link." }),
  createdAt: serverSetField(time(), { about: "When the link was created." }),
  expiresAt: serverSetField(time(), {
    about: "When the link expires. It can end earlier, for example because it is revoked.",
  }),
};

export const downloadLinkRecord = defineRecord(
  {
    id: "DownloadLink",
    description: "An active link to a file. Its address is not included: it is shown only when the link is created.",
  },
  linkFields,
);

export interface DownloadLink extends RecordOf<typeof linkFields> {
  readonly reportId: string;
  readonly fileId: string;
  readonly revokedAt: Date | null;
}
