import type { Principal } from "@reports/auth";
import { isUuidV7 } from "@reports/runtime";
import type { AccessRule } from "./access-rule.ts";
import type { Endpoint, Reply } from "./endpoint.ts";
import { toOwnerFilter, type OwnedRecord } from "./owned-record-kind.ts";

type RecordAccess = AccessRule & { readonly kind: "record" };

/** Loads the record of a request. Rejects with notFound() if it is unknown or the caller may not see it, and with gone() if it is deleted. */
export async function loadAccessibleRecord(
  { of, acceptsDeleted }: RecordAccess,
  principal: Principal,
  id: string | undefined,
): Promise<OwnedRecord> {
  const record = id !== undefined && isUuidV7(id) ? await of.find(id) : null;
  const scope = toOwnerFilter(principal);
  if (record === null || (scope !== null && record.owner !== scope)) throw of.notFound();
  if (record.deletedAt !== null && acceptsDeleted !== true) throw of.gone();
  return record;
}

export function addRecordAuditFields(
  { method }: Endpoint,
  { of }: RecordAccess,
  record: OwnedRecord,
  reply: Reply,
): Reply {
  if (method === "GET") return reply;
  return { ...reply, audit: { ...of.auditOf?.(record), ...reply.audit } };
}
