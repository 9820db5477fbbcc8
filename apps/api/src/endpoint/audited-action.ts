/** The name of an action in the audit log. `recordType` and `verb` make `report.delete`. */
export interface AuditedAction {
  readonly recordType: string;
  readonly verb: string;
  /** The path parameter with the record's ID. Missing if the reply contains the ID. */
  readonly idParam?: string;
}

/** Fields of an audit line that are known only after the handler has run. */
export interface AuditedReply {
  readonly recordId?: string;
  readonly reportType?: string;
  /** The requester of the report, or the owner of the record. */
  readonly owner?: string;
  /** Replaces the declared verb, for an endpoint with several actions. */
  readonly verb?: string;
}
