/** The file of a SUCCEEDED report. `columns` holds the keys of its columns, in order. */
export interface ReportFile {
  readonly id: string;
  readonly fileName: string;
  /** File extension without the dot, such as `csv.gz`. The media type follows from it. */
  readonly extension: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** SHA-256 of the file in lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly columns: readonly string[];
  /** Key in the FileStore. Never shown to callers. */
  readonly storageKey: string;
  /** Version that the store gave to the published file; null for files of earlier releases. Never shown to callers. */
  readonly storedVersion: string | null;
}
