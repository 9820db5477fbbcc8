import type { ComponentChildren } from "preact";
import { useErrorBoundary, useState } from "preact/hooks";
import { PageHead } from "../parts/page-head.tsx";
import { buildHref, route, type Route } from "./route.ts";

interface CaughtError {
  readonly error: unknown;
  readonly at: Route;
}

export function ErrorBoundary({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const [caught, setCaught] = useState<CaughtError | null>(null);
  useErrorBoundary((error: unknown) => {
    // oxlint-disable-next-line no-console -- Operators look for errors in the console of the browser.
    console.error(`${title} could not be shown:`, error);
    setCaught({ error, at: route.value });
  });
  if (caught === null || caught.at !== route.value) return <>{children}</>;
  return (
    <>
      <PageHead eyebrow={title} title="This page could not be shown" />
      <div class="notice bad" role="alert">
        <p>
          The console failed while it drew this page. Try again, or reload the page. If the error returns, send the text
          below to the operator of the gateway.
        </p>
        <p>
          <code dir="auto">{String(caught.error)}</code>
        </p>
        <div class="buttons">
          <button type="button" onClick={() => setCaught(null)}>
            Try again
          </button>
          <a class="button quiet" href={buildHref("")}>
            Go to the reports
          </a>
        </div>
      </div>
    </>
  );
}
