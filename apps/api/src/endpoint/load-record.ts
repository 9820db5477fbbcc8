import type { Principal } from "@reports/auth";
import { isId } from "@reports/runtime";
import type { Access } from "./access.ts";
import type { Endpoint, Reply } from "./endpoint.ts";
import { ownerScope, type OwnedRecord } from "./owned-records.ts";

type RecordAccess = Access & { readonly kind: "record" };

/** Loads the record that the path names. Rejects with notFound() also for a record of another owner, then with gone(). */
export async function loadRecord(
  { of, takesDeleted }: RecordAccess,
  principal: Principal,
  id: string | undefined,
): Promise<OwnedRecord> {
  const record = id !== undefined && isId(id) ? await of.find(id) : null;
  const scope = ownerScope(principal);
  if (record === null || (scope !== null && record.owner !== scope)) throw of.notFound();
  if (record.deletedAt !== null && takesDeleted !== true) throw of.gone();
  return record;
}

/** The reply with what the audit log says about the record. Reads are not logged. */
export function withRecordAudit({ method }: Endpoint, { of }: RecordAccess, record: OwnedRecord, reply: Reply): Reply {
  if (method === "GET") return reply;
  return { ...reply, audit: { ...of.auditOf?.(record), ...reply.audit } };
}
