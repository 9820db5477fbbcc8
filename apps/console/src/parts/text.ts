const counts = new Intl.NumberFormat("en");
const units = ["bytes", "KiB", "MiB", "GiB"] as const;

/** A count with its thousands apart. */
export function countText(count: number): string {
  return counts.format(count);
}

/** A size: `812 bytes`, `1.4 MiB`. */
export function sizeText(bytes: number): string {
  const step = bytes < 1024 ? 0 : Math.min(3, Math.floor(Math.log2(bytes) / 10));
  return `${step === 0 ? bytes : (bytes / 1024 ** step).toFixed(1)} ${units[step]}`;
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

const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2 });

/** A share from 0 to 1 as a percentage. */
export function percentText(share: number): string {
  return percents.format(share);
}
