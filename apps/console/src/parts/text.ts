const counts = new Intl.NumberFormat("en");
const units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"] as const;

/** A count with its thousands apart. */
export function countText(count: number): string {
  return counts.format(count);
}

/** A size as the documents write it, in decimal units: `812 B`, `1.5 MB`, `655 GB`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // By what is shown: 999,960 is 1.0 MB, and not 1,000 kB.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(unit > 0 && value < 99.95 ? 1 : 0)}\u00a0${units[unit]}`;
}

/** A constant of the gateway as a word: `SUCCEEDED` becomes `Succeeded`, `DATA_BEHIND` `Data behind`. */
export function wordOf(constant: string): string {
  const words = constant.replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A filter's name in words: `hostnameSuffix` becomes `Host name suffix`, `q` what it does. */
export function filterName(name: string): string {
  if (name === "q") return "Contains";
  return wordOf(name.replace("hostname", "host name").replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_")).replaceAll(
    /\b(tls|https?|hsts|id)\b/gi,
    (word) => word.toUpperCase(),
  );
}

/** Whom a principal stands for, without where they are known from: `basic:alice` and `https://issuer|alice` are `alice`. */
export function nameOf(principal: string): string {
  return principal.replace(/^basic:|^.*\|/, "");
}

/** A share from 0 to 1 as the documents write it: `2.49%`, and `<0.01%` where there is less than that. */
export function percentText(share: number): string {
  const rounded = (share * 100).toFixed(2);
  return share > 0 && rounded === "0.00" ? "<0.01%" : `${rounded}%`;
}
