import { createHash } from "node:crypto";
import { pageStyle } from "./page-style.ts";

/** Content-Security-Policy of the pages that the API renders. It allows only the inline style sheet, and no script. */
export const pageContentSecurityPolicy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(pageStyle).digest("base64")}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** Markup in which all values are already escaped, so that `html` inserts it unchanged. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type HtmlPart = string | number | Html | readonly Html[];

/** Template tag that escapes every inserted value, except markup of the class Html. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlPart[]): Html {
  return new Html(parts.map((part, index) => `${index === 0 ? "" : renderPart(values[index - 1]!)}${part}`).join(""));
}

export function renderPage(title: string, body: Html, lead: Html = new Html("")): string {
  // The Content-Security-Policy contains the hash of pageStyle. So a browser applies the style sheet only if it is inserted unchanged.
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeText(title)}</title><style>${pageStyle}</style></head><body><a class="skip" href="#content">Skip to the content</a>${lead.text}<main id="content">${body.text}</main></body></html>\n`;
}

export function renderCommands(...commands: readonly string[]): Html {
  return html`<pre class="paste" tabindex="0">${commands.join("\n")}</pre>`;
}

export function renderJson(value: unknown): Html {
  return html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}

function renderPart(value: HtmlPart): string {
  if (value instanceof Html) return value.text;
  return typeof value === "object" ? value.map(({ text }) => text).join("") : escapeText(String(value));
}

const htmlEntities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => htmlEntities[character]!);
}
