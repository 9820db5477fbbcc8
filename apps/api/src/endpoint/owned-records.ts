import { REPORTS_ADMIN, type Principal } from "@reports/auth";
import type { DomainError } from "@reports/core/base";
import type { AuditedReply } from "./audited-action.ts";

/** A record that belongs to a principal. */
export interface OwnedRecord {
  /** The principal that created it. */
  readonly owner: string;
  /** Set on a tombstone. */
  readonly deletedAt: Date | null;
}

/** Records that only their owners and administrators may know of, and how the framework loads one. docs/reference/resources/access.md#authorities. */
export interface OwnedRecords<Rec extends OwnedRecord = OwnedRecord> {
  /** What one record is called in the documentation: `schedule`. */
  readonly singular: string;
  /** The authority that every endpoint of these records needs. It is checked before a record is looked for. */
  readonly authority?: string;
  /** Finds a record, deleted or not, without asking whose it is. */
  find(id: string): Promise<Rec | null>;
  /** The error for a record that does not exist, and for one that the caller may not know of. */
  notFound(): DomainError;
  /** The error for a deleted record. */
  gone(): DomainError;
  /** Returns what the audit log adds to each write of the record. */
  auditOf?(record: Rec): AuditedReply;
}

/** Returns the principal whose records the caller may know of; null for everyone's. */
export function ownerScope({ id, authorities }: Principal): string | null {
  return authorities.has(REPORTS_ADMIN) ? null : id;
}
