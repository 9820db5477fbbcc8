/** What an endpoint does as the audit log calls it: `report` and `delete` are written as `report.delete`. */
export interface AuditedAction {
  readonly recordType: string;
  readonly verb: string;
  /** The path's parameter that names the record; left out where the reply does. */
  readonly idParam?: string;
}

/** What only the reply knows. */
export interface AuditedReply {
  readonly recordId?: string;
  readonly reportType?: string;
  /** Who had asked for the report. */
  readonly owner?: string;
  /** Where one endpoint does several things. */
  readonly verb?: string;
}
