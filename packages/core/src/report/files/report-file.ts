/** The file of a SUCCEEDED report. `columns` are the requested columns' keys, in order. */
export interface ReportFile {
  readonly id: string;
  readonly fileName: string;
  /** Without the dot; decides the media type. */
  readonly extension: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly columns: readonly string[];
  /** Key in the FileStore. Never shown to callers. */
  readonly storageKey: string;
  /** The store's version of the published file; null for older files. Never shown to callers. */
  readonly storedVersion: string | null;
}
