import { REPORTS_ADMIN, type Principal } from "@reports/auth";
import type { DomainError } from "@reports/core/base";
import type { AuditedReply } from "./audited-action.ts";

export interface OwnedRecord {
  /** The principal that created it. */
  readonly owner: string;
  /** Set on a tombstone. */
  readonly deletedAt: Date | null;
}

/** A kind of record that only its owner and administrators may see, and how to load one. docs/reference/resources/access.md#authorities. */
export interface OwnedRecords<Rec extends OwnedRecord = OwnedRecord> {
  /** The name of one record in the documentation: `schedule`. */
  readonly singular: string;
  /** The authority that every endpoint of these records needs. It is checked before a record is loaded. */
  readonly authority?: string;
  /** Finds a record of any owner, even a deleted one. */
  find(id: string): Promise<Rec | null>;
  /** Creates the error for a record that does not exist or that the caller may not see. */
  notFound(): DomainError;
  /** Creates the error for a deleted record. */
  gone(): DomainError;
  /** Returns fields for the audit line of each write of the record. */
  auditOf?(record: Rec): AuditedReply;
}

/** Returns the principal whose records the caller may see. Returns null if the caller may see all records. */
export function ownerScope({ id, authorities }: Principal): string | null {
  return authorities.has(REPORTS_ADMIN) ? null : id;
}
