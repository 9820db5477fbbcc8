import { severityThresholds } from "../../../inventory/severity-thresholds.ts";

/** Makes the function that describes the threshold of a severity in another language. The placeholders of `template` are days, share, least and unit. */
export function describeThresholdIn(
  template: string,
  units: { readonly one: string; readonly other: string },
): (level: keyof typeof severityThresholds) => string {
  return (level) => {
    const { ceilingDays, lifetimeDenominator, floorDays } = severityThresholds[level];
    const values: Readonly<Record<string, string>> = {
      days: String(ceilingDays),
      share: String(lifetimeDenominator),
      least: String(floorDays),
      unit: floorDays === 1 ? units.one : units.other,
    };
    return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
  };
}
