import type { ComponentChildren } from "preact";
import { directionOf } from "./direction.ts";
import { otherFieldsOf } from "./other-fields.ts";
import { Time } from "./time.tsx";

/** A fact and its name. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** Facts about one thing; those that are null are left out. */
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

/** Facts about the fields of a record that a page neither shows nor hides: those that are added later. */
export function otherFacts<Item extends object>(record: Item, known: readonly (keyof Item)[]): readonly Fact[] {
  return otherFieldsOf(record, known).map(({ label, kind, value }) => [
    label,
    kind === "time" ? <Time key={label} at={value} exact /> : value,
  ]);
}
