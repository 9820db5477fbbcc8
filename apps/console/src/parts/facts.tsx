import type { ComponentChildren } from "preact";
import { toDirAttribute } from "./direction.ts";
import { listUnknownFields } from "./other-fields.ts";
import { Time } from "./time.tsx";

export type Fact = readonly [name: string, value: ComponentChildren];

export function Facts({ facts }: { readonly facts: readonly (Fact | null)[] }) {
  return (
    <dl class="facts">
      {facts
        .filter((fact) => fact !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir={typeof value === "string" ? toDirAttribute(value) : "auto"}>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Returns the labelled values of fields that a page does not know, such as fields that a later API adds. */
export function otherFacts<Item extends object>(record: Item, known: readonly (keyof Item)[]): readonly Fact[] {
  return listUnknownFields(record, known).map(({ label, kind, value }) => [
    label,
    kind === "time" ? <Time key={label} at={value} exact /> : value,
  ]);
}
