const percents = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 2 });

/** A share from 0 to 1 as a percentage. */
export function percentText(share: number): string {
  return percents.format(share);
}
