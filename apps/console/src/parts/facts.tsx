import type { ComponentChildren } from "preact";

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
            <dd dir="auto">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
