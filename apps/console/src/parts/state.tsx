import type { ComponentChildren } from "preact";

export type Tone = "good" | "warn" | "bad" | "muted" | "live";

const markPaths: Readonly<Record<Tone, string>> = {
  good: "M5 1a4 4 0 1 0 0 8a4 4 0 1 0 0-8z",
  warn: "M5 1L9.5 9H.5z",
  bad: "M5 .5L9.5 5 5 9.5.5 5z",
  muted: "M5 1.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7z",
  live: "M5 1a4 4 0 0 0 0 8z M5 1a4 4 0 0 1 0 8",
};

export function State({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <span class={`state tone-${tone}`}>
      <svg class={`mark ${tone === "muted" ? "ring" : ""}`} viewBox="0 0 10 10" aria-hidden="true">
        {tone === "live" ? (
          <>
            <path d="M5 1a4 4 0 1 0 0 8a4 4 0 1 0 0-8z" fill="none" />
            <path d="M5 1a4 4 0 0 0 0 8z" stroke="none" />
          </>
        ) : (
          <path d={markPaths[tone]} />
        )}
      </svg>
      {children}
    </span>
  );
}
