import { countText, labelFromName } from "./text.ts";

export interface OtherField {
  readonly label: string;
  readonly kind: "text" | "time";
  readonly value: string;
}

export function otherFieldsOf<Item extends object>(
  record: Item,
  known: readonly (keyof Item)[],
): readonly OtherField[] {
  const names: readonly PropertyKey[] = known;
  return Object.entries(record).flatMap(([name, value]: [string, unknown]) => {
    const text = otherValueText(value);
    if (names.includes(name) || text === "") return [];
    const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);
    return [{ label: labelFromName(name), kind: isTime ? "time" : "text", value: text }];
  });
}

function otherValueText(value: unknown): string {
  if (Array.isArray(value))
    return value
      .map(otherValueText)
      .filter((text) => text !== "")
      .join(", ");
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return countText(value);
  return typeof value === "string" ? value : "";
}
