export interface AuditedAction {
  readonly recordType: string;
  readonly verb: string;
  readonly idParam?: string;
}

export interface ReplyAuditFields {
  readonly recordId?: string;
  readonly reportType?: string;
  readonly owner?: string;
  readonly verb?: string;
}
