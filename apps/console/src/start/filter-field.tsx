import { useId } from "preact/hooks";
import { Chips } from "../parts/chips.tsx";
import { Select, FieldError, type Option } from "../parts/fields.tsx";
import { changeRouteQuery } from "../shell/route.ts";
import { useQuery } from "../shell/use-query.ts";
import { toFilterParameter } from "./draft.ts";
import { formatFilterValue, type Filter } from "../parts/filters.ts";

export function FilterField(props: {
  readonly filter: Filter;
  readonly values: readonly string[];
  readonly error: string | undefined;
  /** The report type from whose data the field proposes values. If false, the field proposes none. */
  readonly source: string | false;
}) {
  const { filter, values, error } = props;
  const name = toFilterParameter(filter.name);
  const change = (next: readonly string[]): void => changeRouteQuery({ [name]: next });
  if (filter.kind === "choice" || filter.kind === "flag") {
    const options =
      filter.kind === "flag"
        ? booleanOptions
        : filter.values.map((value) => ({
            value,
            label: formatFilterValue(filter, value),
            meaning: filter.meanings[value],
          }));
    if (filter.kind === "choice" && filter.isList)
      return (
        <Chips
          label={filter.label}
          name={name}
          hint={filter.hint}
          options={options}
          chosen={values}
          error={error}
          onChange={change}
        />
      );
    return (
      <Select
        label={filter.label}
        name={name}
        value={values[0] ?? ""}
        emptyLabel="Any"
        options={options}
        error={error}
        onChange={(value) => change(value === "" ? [] : [value])}
      />
    );
  }
  return <TextInputs {...props} onChange={change} />;
}

const booleanOptions: readonly Option[] = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];

interface FieldProps {
  readonly filter: Filter;
  readonly values: readonly string[];
  readonly error: string | undefined;
  readonly source: string | false;
  readonly onChange: (values: readonly string[]) => void;
}

function TextInputs({ filter, values, error, source, onChange }: FieldProps) {
  const id = useId();
  const shown = values.length === 0 ? [""] : values;
  const { value: choices } = useQuery(`${source} ${filter.name}`, async (gateway, options) =>
    source ? gateway.reportTypes.filterValues(source, filter.name, options) : null,
  );
  const described = error === undefined ? `${id}-hint` : `${id}-hint ${id}-wrong`;
  return (
    <div class="field">
      <label for={`${id}-0`}>{filter.label}</label>
      {shown.map((value, index) => (
        <input
          key={index}
          id={`${id}-${index}`}
          name={toFilterParameter(filter.name)}
          value={value}
          inputMode={filter.kind === "number" ? "numeric" : "text"}
          autocomplete="off"
          list={choices ? `${id}-choices` : undefined}
          spellcheck={false}
          aria-label={index === 0 ? undefined : `${filter.label}, or`}
          aria-invalid={error !== undefined}
          aria-describedby={described}
          onInput={({ currentTarget }) => onChange(shown.map((one, at) => (at === index ? currentTarget.value : one)))}
        />
      ))}
      <p class={filter.kind === "time" ? "hint" : "unseen"} id={`${id}-hint`}>
        {filter.kind === "time" ? "in 30 days, 31.01.2026 or today" : filter.hint}
      </p>
      {choices && (
        <datalist id={`${id}-choices`}>
          {choices.map(({ value, title }) => (
            <option key={value} value={value} label={title} />
          ))}
        </datalist>
      )}
      <FieldError id={id} text={error} />
      {filter.isList && shown.at(-1) !== "" && (
        <button
          type="button"
          class="quiet or"
          aria-label={`or … another ${filter.label}`}
          onClick={() => onChange([...shown, ""])}
        >
          or …
        </button>
      )}
    </div>
  );
}
