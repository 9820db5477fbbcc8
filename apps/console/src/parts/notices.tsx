import type { ComponentChildren } from "preact";
import type { Failure } from "../shell/failure.ts";
import type { QueryResult } from "../shell/use-query.ts";
import { isOffline } from "../shell/session.ts";

/** Shows a query's value, that it is loading, or why it failed. */
export function QueryView<Value>({
  result,
  children,
}: {
  readonly result: QueryResult<Value>;
  readonly children: (value: Value) => ComponentChildren;
}) {
  const { value, failure, reload } = result;
  if (value === null) return failure === null ? <Loading /> : <FailureNotice failure={failure} onRetry={reload} />;
  return (
    <>
      {failure !== null && <FailureNotice failure={failure} onRetry={reload} isStale />}
      {children(value)}
    </>
  );
}

/** Has lines in the place of rows, so that nothing jumps. */
function Loading() {
  // The bar above shows that the request is repeated.
  if (isOffline.value)
    return (
      <Empty title="Nothing to show yet">
        <p>This page appears as soon as the gateway answers.</p>
      </Empty>
    );
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: 8 }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}

const titles: Readonly<Record<Failure["kind"], string>> = {
  forbidden: "You are not allowed to see this",
  missing: "Not found",
  offline: "Cannot reach the gateway",
  invalid: "The gateway rejected this request",
  other: "Something went wrong",
};

/** The gateway's message, and the request ID for support. */
export function FailureNotice(props: {
  readonly failure: Failure;
  readonly onRetry?: () => void;
  /** Whether an earlier value is still shown. */
  readonly isStale?: boolean;
}) {
  const { failure, onRetry, isStale = false } = props;
  const isGrave = failure.kind === "other" || failure.kind === "invalid";
  return (
    <div class={`notice ${isGrave ? "bad" : "warn"}`} role="alert">
      <h2>{titles[failure.kind]}</h2>
      {/* The detail names the first issue. */}
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

/** Says why there is nothing, and what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
