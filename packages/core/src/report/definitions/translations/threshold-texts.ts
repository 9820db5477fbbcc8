import { severityThresholds } from "../../../inventory/severity-thresholds.ts";

export function createThresholdDescriber(
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
