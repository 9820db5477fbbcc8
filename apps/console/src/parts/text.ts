const countFormat = new Intl.NumberFormat("en");
const sizeUnits = ["B", "kB", "MB", "GB", "TB", "PB", "EB"] as const;

export function formatCount(count: number): string {
  return countFormat.format(count);
}

export function formatCountedNoun(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Formats a size in decimal units, as files show it: `812 B`, `1.5 MB`, `655 GB`. */
export function formatByteSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // Compares the rounded number, so that 999,960 bytes become 1.0 MB and not 1,000 kB.
  while (value >= 999.5 && unit < sizeUnits.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(unit > 0 && value < 99.95 ? 1 : 0)}\u00a0${sizeUnits[unit]}`;
}

export function formatLanguageName(tag: string): string {
  return new Intl.DisplayNames("en", { type: "language" }).of(tag) ?? tag;
}

export function toSentenceCase(constant: string): string {
  const words = constant.replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function deriveFieldLabel(name: string): string {
  if (name === "q") return "Contains";
  return toSentenceCase(name.replace("hostname", "host name").replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_")).replaceAll(
    /\b(tls|https?|hsts|id)\b/gi,
    (word) => word.toUpperCase(),
  );
}

/** Returns the name of a principal without its source: `alice` for `basic:alice` and `https://issuer|alice`. */
export function formatPrincipalName(principal: string): string {
  return principal.replace(/^basic:|^.*\|/, "");
}

/** Formats a share as files show it: `2.49%`. A positive share that would round to zero becomes `<0.01%`. */
export function formatPercent(share: number): string {
  const rounded = (share * 100).toFixed(2);
  return share > 0 && rounded === "0.00" ? "<0.01%" : `${rounded}%`;
}

/** Returns why a call is retried, from the API's message. Omits the advice after the semicolon, because the console retries without the user. */
export function formatRetryReason({ status, detail }: { readonly status: number; readonly detail: string }): string {
  return status === 0 ? "Cannot reach the gateway." : `${detail.split(";")[0]!.replace(/\.$/, "")}.`;
}
