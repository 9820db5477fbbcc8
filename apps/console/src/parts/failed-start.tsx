import type { Failure } from "../shell/failure.ts";

/** Beside a button that makes something: why nothing was made. */
export function FailedStart({ failure, title }: { readonly failure: Failure | null; readonly title: string }) {
  if (failure === null) return null;
  return (
    <div class="notice bad" role="alert">
      <h2>{failure.kind === "invalid" ? "Something has to be changed" : title}</h2>
      {failure.issues.length === 0 ? (
        <p>{failure.detail}</p>
      ) : (
        failure.issues.map(({ message }) => <p key={message}>{message}</p>)
      )}
    </div>
  );
}
