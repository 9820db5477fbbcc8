import { REPORTS_ADMIN, type Principal } from "@reports/auth";
import type { DomainError } from "@reports/core/base";
import type { ReplyAuditFields } from "./audited-action.ts";

export interface OwnedRecord {
  readonly owner: string;
  readonly deletedAt: Date | null;
}

/** Describes a kind of record that only its owner and administrators may see, and how to load it. docs/reference/resources/access.md#authorities. */
export interface OwnedRecordKind<Rec extends OwnedRecord = OwnedRecord> {
  readonly singular: string;
  /** The authority that every endpoint of these records needs. It is checked before a record is loaded. */
  readonly authority?: string;
  /** Finds a record of any owner by its ID, even a deleted record. */
  find(id: string): Promise<Rec | null>;
  notFound(): DomainError;
  gone(): DomainError;
  auditOf?(record: Rec): ReplyAuditFields;
}

/** Returns the owner to whose records a caller's lists are limited. Null means all owners, for administrators. */
export function toOwnerFilter({ id, authorities }: Principal): string | null {
  return authorities.has(REPORTS_ADMIN) ? null : id;
}
