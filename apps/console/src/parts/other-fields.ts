import { formatCount, deriveFieldLabel } from "./text.ts";

export interface UnknownField {
  readonly label: string;
  readonly kind: "text" | "time";
  readonly value: string;
}

export function listUnknownFields<Item extends object>(
  record: Item,
  known: readonly (keyof Item)[],
): readonly UnknownField[] {
  const names: readonly PropertyKey[] = known;
  return Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
    const text = otherValueText(value);
    if (names.includes(name) || text === "") return [];
    const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);
    return [{ label: deriveFieldLabel(name), kind: isTime ? "time" : "text", value: text }];
  });
}

function otherValueText(value: unknown): string {
  if (Array.isArray(value))
    return value
      .map(otherValueText)
      .filter((text) => text !== "")
      .join(", ");
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return formatCount(value);
  return typeof value === "string" ? value : "";
}
