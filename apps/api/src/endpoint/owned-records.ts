import { REPORTS_ADMIN, type Principal } from "@reports/auth";
import type { DomainError } from "@reports/core/base";
import type { AuditedReply } from "./audited-action.ts";

export interface OwnedRecord {
  /** The principal that created the record. */
  readonly owner: string;
  /** Null for a record that is not deleted. */
  readonly deletedAt: Date | null;
}

/** Describes a kind of record that only its owner and administrators may see, and how to load it. docs/reference/resources/access.md#authorities. */
export interface OwnedRecords<Rec extends OwnedRecord = OwnedRecord> {
  /** The name of one record in the documentation: `schedule`. */
  readonly singular: string;
  /** The authority that every endpoint of these records needs. It is checked before a record is loaded. */
  readonly authority?: string;
  /** Finds a record of any owner by its ID, even a deleted record. */
  find(id: string): Promise<Rec | null>;
  /** Creates the error for a record that does not exist or that the caller may not see. */
  notFound(): DomainError;
  /** Creates the error for a deleted record. */
  gone(): DomainError;
  /** Returns fields that the audit line of a write of the record contains. */
  auditOf?(record: Rec): AuditedReply;
}

/** Returns the owner to whose records a caller's lists are limited. Null means all owners, for administrators. */
export function ownerScope({ id, authorities }: Principal): string | null {
  return authorities.has(REPORTS_ADMIN) ? null : id;
}
