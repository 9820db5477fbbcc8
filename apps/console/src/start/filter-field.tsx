import { useId } from "preact/hooks";
import { Select, Wrong } from "../parts/fields.tsx";
import { wordOf } from "../parts/text.ts";
import { changeQuery } from "../shell/place.ts";
import { parameterOf } from "./draft.ts";
import type { Filter } from "../parts/filters.ts";

/** The field of a filter. Its values stand in the fragment. */
export function FilterField(props: {
  readonly filter: Filter;
  readonly values: readonly string[];
  readonly wrong: string | undefined;
}) {
  const { filter, values, wrong } = props;
  const change = (next: readonly string[]): void => changeQuery({ [parameterOf(filter.name)]: next });
  if (filter.kind === "choice" && filter.isList) return <Choices {...props} onChange={change} />;
  if (filter.kind === "choice" || filter.kind === "flag") {
    const options = filter.kind === "flag" ? ["true", "false"] : filter.values;
    return (
      <Select
        label={filter.label}
        value={values[0] ?? ""}
        any="Any"
        options={options.map((value) => ({
          value,
          label: filter.kind === "flag" ? (value === "true" ? "Yes" : "No") : (filter.titles[value] ?? wordOf(value)),
        }))}
        wrong={wrong}
        onChange={(value) => change(value === "" ? [] : [value])}
      />
    );
  }
  return <Lines {...props} onChange={change} />;
}

interface FieldProps {
  readonly filter: Filter;
  readonly values: readonly string[];
  readonly wrong: string | undefined;
  readonly onChange: (values: readonly string[]) => void;
}

/** Any of a few, all of them in sight. */
function Choices({ filter, values, wrong, onChange }: FieldProps) {
  const id = useId();
  return (
    <div
      class="any-of"
      role="group"
      aria-labelledby={id}
      aria-describedby={wrong === undefined ? undefined : `${id}-wrong`}
    >
      <span class="label" id={id} title={filter.hint}>
        {filter.label}
      </span>
      <div class="chips">
        {filter.values.map((value) => (
          <label key={value} class="chip">
            <input
              type="checkbox"
              checked={values.includes(value)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(filter.values.filter((one) => (one === value ? checked : values.includes(one))))
              }
            />
            {filter.titles[value] ?? wordOf(value)}
          </label>
        ))}
      </div>
      <Wrong id={id} text={wrong} />
    </div>
  );
}

const moments = ["now", "today", "thisWeek", "thisMonth", "thisYear", "now-P7D", "now-P30D", "now+P14D", "now+P30D"];

/** What is typed: one value a line, with another one wherever any of several may match. */
function Lines({ filter, values, wrong, onChange }: FieldProps) {
  const id = useId();
  const shown = values.length === 0 ? [""] : values;
  const described = wrong === undefined ? `${id}-hint` : `${id}-hint ${id}-wrong`;
  return (
    <div class="field">
      <label for={`${id}-0`}>{filter.label}</label>
      {shown.map((value, index) => (
        <input
          key={index}
          id={`${id}-${index}`}
          value={value}
          inputMode={filter.kind === "number" ? "numeric" : "text"}
          list={filter.kind === "time" ? `${id}-moments` : undefined}
          placeholder={filter.kind === "time" ? "today, now+P14D, 2026-01-31T08:00:00Z" : undefined}
          autocomplete="off"
          spellcheck={false}
          aria-label={index === 0 ? undefined : `${filter.label}, or`}
          aria-invalid={wrong !== undefined}
          aria-describedby={described}
          onInput={({ currentTarget }) => onChange(shown.map((one, at) => (at === index ? currentTarget.value : one)))}
        />
      ))}
      {filter.kind === "time" && (
        <datalist id={`${id}-moments`}>
          {moments.map((moment) => (
            <option key={moment} value={moment} />
          ))}
        </datalist>
      )}
      <p class="unseen" id={`${id}-hint`}>
        {filter.hint}
      </p>
      <Wrong id={id} text={wrong} />
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
