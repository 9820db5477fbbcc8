import { S3Error } from "minio";
import { FileNotFoundError, sanitiseUntrustedText, StoreUnavailableError } from "@reports/core/base";

const missingKeyCodes = new Set(["NoSuchKey", "NotFound"]);
const fullStoreCodes = new Set([
  "XMinioStorageFull",
  "QuotaExceeded",
  "XMinioAdminBucketQuotaExceeded",
  "InsufficientStorage",
]);
const accessRefusedCodes = new Set(["AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken"]);

/** Returns the error code of the store, such as `NoSuchKey`, or undefined if there is none. */
export function s3ErrorCodeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof S3Error ? error.code : undefined;
  return typeof code === "string" ? sanitiseUntrustedText(code, 100) : undefined;
}

export function isMissingObject(error: unknown): boolean {
  return missingKeyCodes.has(s3ErrorCodeOf(error) ?? "");
}

/** Converts an error of the S3 client to the error that FileStore promises. The message contains neither the bucket nor access keys. */
export function toObjectStoreError(
  error: unknown,
  what: string,
  key: string | undefined,
  status: number | undefined,
): unknown {
  if (error instanceof StoreUnavailableError || error instanceof FileNotFoundError || error instanceof RangeError)
    return error;
  if (key !== undefined && isMissingObject(error)) return new FileNotFoundError(key);
  return new StoreUnavailableError(`The object store could not ${what}: ${reasonText(error, status)}.`, {
    cause: error,
  });
}

function reasonText(error: unknown, status: number | undefined): string {
  const code = s3ErrorCodeOf(error);
  if (fullStoreCodes.has(code ?? "") || status === 507) return "it is full; free space";
  if (accessRefusedCodes.has(code ?? ""))
    return `it refused the credentials (${code}); check the access key and its policy`;
  if (code === "NoSuchBucket") return "the configured bucket does not exist";
  if (code !== undefined && code !== "") return `it answered ${code}`;
  if (status !== undefined && status >= 400) return `it answered HTTP ${status}`;
  const systemCode = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return systemCode === undefined
    ? "the connection broke or its response was invalid"
    : `the connection failed (${systemCode})`;
}
