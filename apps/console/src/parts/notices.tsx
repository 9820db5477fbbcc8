import type { ComponentChildren } from "preact";
import type { CallFailure } from "../shell/call-failure.ts";
import type { QueryResult } from "../shell/use-query.ts";
import { isOffline } from "../shell/session.ts";
import { RetryNotice } from "./retry-notice.tsx";

export function QueryContent<Value>({
  result,
  children,
}: {
  readonly result: QueryResult<Value>;
  readonly children: (value: Value) => ComponentChildren;
}) {
  const { value, failure, retry, reload } = result;
  if (value === null)
    return failure === null ? <Loading retry={retry} /> : <FailureNotice failure={failure} onRetry={reload} />;
  return (
    <>
      {failure !== null && <FailureNotice failure={failure} onRetry={reload} isStale />}
      {children(value)}
    </>
  );
}

/**
 * Shows grey lines in place of rows, so that the page does not jump when the rows appear. If the console retries the request, shows why the API
 * refused it.
 */
function Loading({ retry }: Pick<QueryResult<unknown>, "retry">) {
  // The bar at the top of the page already says that the browser is offline and that the console retries.
  if (isOffline.value)
    return (
      <EmptyState title="Nothing to show yet">
        <p>This page appears as soon as the gateway answers.</p>
      </EmptyState>
    );
  if (retry !== null) return <RetryNotice retry={retry} doing="Trying again" />;
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: 8 }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}

const failureTitles: Readonly<Record<CallFailure["kind"], string>> = {
  forbidden: "You are not allowed to see this",
  missing: "Not found",
  offline: "Cannot reach the gateway",
  invalid: "The gateway rejected this request",
  other: "Something went wrong",
};

export function FailureNotice(props: {
  readonly failure: CallFailure;
  readonly onRetry?: () => void;
  readonly isStale?: boolean;
}) {
  const { failure, onRetry, isStale = false } = props;
  const isSevere = failure.kind === "other" || failure.kind === "invalid";
  return (
    <div class={`notice ${isSevere ? "bad" : "warn"}`} role="alert">
      <h2>{failureTitles[failure.kind]}</h2>
      {/* `detail` repeats the first issue, so it is shown only if there are no issues. */}
      {failure.issues.length === 0 ? (
        <p>{failure.detail}</p>
      ) : (
        failure.issues.map(({ message }) => <p key={message}>{message}</p>)
      )}
      {isStale && <p class="muted">The data below was read earlier.</p>}
      {failure.requestId !== null && (
        <p class="hint">
          Request <code>{failure.requestId}</code>
        </p>
      )}
      {onRetry !== undefined && failure.kind !== "forbidden" && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function EmptyState({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
