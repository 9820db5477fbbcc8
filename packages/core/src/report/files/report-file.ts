/** The file of a SUCCEEDED report. `columns` are the keys of the columns that were asked for, in their order. */
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
  /** Where the FileStore keeps it. Never shown to callers. */
  readonly storageKey: string;
  /** The store's version of the file that was published; null of files that are older than this field. Never shown to callers. */
  readonly storedVersion: string | null;
}
