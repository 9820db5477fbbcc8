import type { ComponentChildren } from "preact";
import { directionOf } from "./direction.ts";
import { otherFieldsOf } from "./other-fields.ts";
import { Time } from "./time.tsx";

export type Fact = readonly [name: string, value: ComponentChildren];

/** Facts about one thing; null ones are omitted. */
export function Facts({ facts }: { readonly facts: readonly (Fact | null)[] }) {
  return (
    <dl class="facts">
      {facts
        .filter((fact) => fact !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir={typeof value === "string" ? directionOf(value) : "auto"}>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Facts about fields that a page does not show or hide by name: those of later versions. */
export function otherFacts<Item extends object>(record: Item, known: readonly (keyof Item)[]): readonly Fact[] {
  return otherFieldsOf(record, known).map(({ label, kind, value }) => [
    label,
    kind === "time" ? <Time key={label} at={value} exact /> : value,
  ]);
}
