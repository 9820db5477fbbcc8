import type { FieldFacts } from "@reports/client";
import { changeRouteQuery } from "../shell/route.ts";
import { Select, TextField, type Option } from "./fields.tsx";
import { selectFieldLabel, type FieldDeclarations } from "./field-values.ts";
import { Collapsible } from "./collapsible.tsx";

export interface DerivedField {
  readonly label: string;
  /** Label that an empty field shows: the default that the API uses for it. */
  readonly emptyLabel: string;
  readonly values?: readonly Option[];
}

export function createDerivedField(name: string, facts: FieldFacts): DerivedField {
  const { kind, values = [], byDefault } = facts;
  const label = selectFieldLabel(name, facts);
  if (kind !== "choice" && kind !== "flag") return { label, emptyLabel: String(byDefault ?? "") };
  const choices = kind === "flag" ? ["true", "false"] : values;
  const nameOf = (value: string): string => (kind === "choice" ? value : value === "true" ? "Yes" : "No");
  return {
    label,
    emptyLabel: byDefault === undefined ? "" : nameOf(String(byDefault)),
    values: choices.filter((value) => value !== String(byDefault)).map((value) => ({ value, label: nameOf(value) })),
  };
}

export function DerivedFields(props: {
  readonly fields: FieldDeclarations;
  readonly except: readonly string[];
  readonly query: URLSearchParams;
  readonly errors: ReadonlyMap<string, string>;
}) {
  const { except, query, errors } = props;
  const fields = Object.entries(props.fields).filter(([name]) => !except.includes(name));
  if (fields.length === 0) return null;
  return (
    <Collapsible title="More options" opens={fields.some(([name]) => Boolean(query.get(name)) || errors.has(name))}>
      <div class="grid">
        {fields.map(([name, facts]) => {
          const { label, emptyLabel, values } = createDerivedField(name, facts);
          const common = { name, label, value: query.get(name) ?? "", error: errors.get(name) };
          // An empty value stays in the URL fragment. There it replaces the stored value of a record, so that a user can clear a field.
          const set = (value: string) => changeRouteQuery({ [name]: [value] });
          return values === undefined ? (
            <TextField
              key={name}
              {...common}
              type={facts.kind === "time" ? "datetime-local" : "text"}
              placeholder={emptyLabel}
              onInput={set}
            />
          ) : (
            <Select key={name} {...common} emptyLabel={emptyLabel} options={values} onChange={set} />
          );
        })}
      </div>
    </Collapsible>
  );
}
