import { createHash } from "node:crypto";
import { pageStyle } from "./page-style.ts";

/** The pages' policy: their own style sheet, no scripts. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(pageStyle).digest("base64")}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** HTML that is safe in a page. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

/** A template that escapes all values except Html. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return new Html(parts.map((part, index) => `${index === 0 ? "" : textOf(values[index - 1]!)}${part}`).join(""));
}

/** `lead` precedes the main part. */
export function page(title: string, body: Html, lead: Html = new Html("")): string {
  // The style must be exactly what the policy's hash was made of.
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeText(title)}</title><style>${pageStyle}</style></head><body><a class="skip" href="#content">Skip to the content</a>${lead.text}<main id="content">${body.text}</main></body></html>\n`;
}

/** Commands to paste, one per line, scrollable by keyboard. */
export function paste(...commands: readonly string[]): Html {
  return html`<pre class="paste" tabindex="0">${commands.join("\n")}</pre>`;
}

export function json(value: unknown): Html {
  return html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}

function textOf(value: Part): string {
  if (value instanceof Html) return value.text;
  return typeof value === "object" ? value.map(({ text }) => text).join("") : escapeText(String(value));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
