/** The name of an action in the audit log: `report` and `delete` become `report.delete`. */
export interface AuditedAction {
  readonly recordType: string;
  readonly verb: string;
  /** The path parameter that names the record. Missing if the reply names it. */
  readonly idParam?: string;
}

/** Facts for the audit log that only the reply knows. */
export interface AuditedReply {
  readonly recordId?: string;
  readonly reportType?: string;
  /** The requester of the report, or the owner of the record. */
  readonly owner?: string;
  /** Replaces the verb of an endpoint that does several things. */
  readonly verb?: string;
}
