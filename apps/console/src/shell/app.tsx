import { useEffect, useRef } from "preact/hooks";
import { browserTimeZone, formatTimeZone } from "../parts/time-text.ts";
import { PageHead } from "../parts/page-head.tsx";
import { brandName } from "./brand.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { findConsolePage, consolePages, type ConsolePage } from "./console-pages.ts";
import { buildHref, route } from "./route.ts";
import { hasSessionExpired, isOffline, session, signOut } from "./session.ts";
import { SignInAgain, SignInPage } from "./sign-in.tsx";
import { Toasts } from "./toasts.tsx";

export function App() {
  if (session.value === null) return <SignInPage />;
  const { path } = route.value;
  const page = findConsolePage(path);
  return (
    <>
      <a class="unseen skip" href="#content" onClick={focusContent}>
        Skip to the content
      </a>
      <Bar page={page} />
      {isOffline.value && (
        <p class="offline" role="status">
          Cannot reach the gateway. Trying again …
        </p>
      )}
      <Content page={page} id={path[1] ?? ""} />
      <Toasts />
      <ShortcutsDialog />
      {hasSessionExpired.value && <SignInAgain />}
    </>
  );
}

function focusContent(event: Event): void {
  // Prevents the navigation to `#content`, because the console's route is in the URL fragment and would be lost.
  event.preventDefault();
  document.querySelector("main")?.focus();
}

function Bar({ page }: { readonly page: ConsolePage | undefined }) {
  const current = page?.under ?? page?.path.split("/")[0];
  const nav = useRef<HTMLElement>(null);
  // On narrow screens the navigation scrolls sideways, so this effect scrolls the label of the current page into view.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (link) nav.current!.scrollLeft = link.offsetLeft - (nav.current!.clientWidth - link.clientWidth) / 2;
  }, [current]);
  return (
    <header class="bar">
      <div class="bar-inside">
        <a class="brand" href={buildHref("")}>
          {brandName}
        </a>
        <nav ref={nav} class="nav" aria-label="Pages">
          {consolePages
            .filter(({ nav, isShown }) => nav !== undefined && isShown())
            .map(({ path, nav }) => (
              <a key={path} href={buildHref(path)} data-word={nav} aria-current={path === current ? "page" : undefined}>
                {nav}
              </a>
            ))}
        </nav>
        <div class="who">
          <span class="muted" title={session.value?.id}>
            {session.value?.name}
          </span>
          <button type="button" class="quiet" onClick={signOut}>
            Sign out
          </button>
        </div>
      </div>
    </header>
  );
}

function Content({ page, id }: { readonly page: ConsolePage | undefined; readonly id: string }) {
  const main = useRef<HTMLElement>(null);
  const key = `${page?.path} ${id}`;
  const first = useRef(key);
  useEffect(() => {
    document.title = `${page?.title ?? "Not found"} – ${brandName}`;
    // Focuses the content after a change of the page, so that keyboards and screen readers start at its top.
    if (first.current !== key) main.current?.focus({ preventScroll: true });
    first.current = key;
    scrollTo(0, 0);
  }, [key]);
  return (
    <main ref={main} id="content" tabIndex={-1}>
      {page === undefined ? (
        <>
          <PageHead eyebrow="Not found" title="Page not found" />
          <p>
            The link may be wrong or from another version, or you may not have access to this page.{" "}
            <a href={buildHref("")}>Go to the reports</a>
          </p>
        </>
      ) : (
        <ErrorBoundary key={key} title={page.title}>
          <page.View id={id} />
          {/* The times of a new report are in the time zone of its file. */}
          {page.path !== "new" && (
            <p class="hint zone">Times are in the time zone {formatTimeZone(browserTimeZone)}.</p>
          )}
        </ErrorBoundary>
      )}
    </main>
  );
}
