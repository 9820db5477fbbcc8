import type { ComponentChildren } from "preact";
import { directionOf } from "./direction.ts";

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
