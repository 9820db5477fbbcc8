/** Names an action in the audit log: `recordType` and `verb` make, for example, `report.delete`. */
export interface AuditedAction {
  readonly recordType: string;
  readonly verb: string;
  /** The path parameter with the record's ID. Missing if the reply contains the ID. */
  readonly idParam?: string;
}

/** Fields of an audit line that the handler of the request returns. */
export interface AuditedReply {
  readonly recordId?: string;
  readonly reportType?: string;
  /** The requester of the report, or the owner of the record. */
  readonly owner?: string;
  /** Replaces the verb of the endpoint's declaration, for an endpoint with several actions. */
  readonly verb?: string;
}
