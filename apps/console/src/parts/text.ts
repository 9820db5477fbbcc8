const counts = new Intl.NumberFormat("en");
const units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"] as const;

/** With separated thousands. */
export function countText(count: number): string {
  return counts.format(count);
}

/** In decimal units, as the documents show it: `812 B`, `1.5 MB`, `655 GB`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // By the rounded number: 999,960 is 1.0 MB, and not 1,000 kB.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(unit > 0 && value < 99.95 ? 1 : 0)}\u00a0${units[unit]}`;
}

/** `SUCCEEDED` becomes `Succeeded`, `DATA_BEHIND` `Data behind`. */
export function sentenceCase(constant: string): string {
  const words = constant.replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `hostnameSuffix` becomes `Host name suffix`, and `q` its meaning. */
export function labelFromName(name: string): string {
  if (name === "q") return "Contains";
  return sentenceCase(name.replace("hostname", "host name").replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_")).replaceAll(
    /\b(tls|https?|hsts|id)\b/gi,
    (word) => word.toUpperCase(),
  );
}

/** The name of a principal without its source: `basic:alice` and `https://issuer|alice` are `alice`. */
export function principalName(principal: string): string {
  return principal.replace(/^basic:|^.*\|/, "");
}

/** `2.49%`, and `<0.01%` for less, as the documents show it. */
export function percentText(share: number): string {
  const rounded = (share * 100).toFixed(2);
  return share > 0 && rounded === "0.00" ? "<0.01%" : `${rounded}%`;
}
