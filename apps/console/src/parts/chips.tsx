import { useId } from "preact/hooks";
import { FieldError, type Option } from "./fields.tsx";

export function Chips(props: {
  readonly label: string;
  readonly name: string;
  readonly hint?: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const { label, name: field, hint, options, chosen, error, onChange } = props;
  const id = useId();
  return (
    <div
      class="any-of"
      role="group"
      aria-labelledby={id}
      aria-describedby={error === undefined ? undefined : `${id}-wrong`}
    >
      <span class="label" id={id} title={hint}>
        {label}
      </span>
      <div class="chips">
        {options.map(({ value, label: name }) => (
          <label key={value} class="chip">
            <input
              type="checkbox"
              name={field}
              checked={chosen.includes(value)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(
                  options.map((one) => one.value).filter((one) => (one === value ? checked : chosen.includes(one))),
                )
              }
            />
            {name}
          </label>
        ))}
      </div>
      {options.some(({ value, meaning }) => meaning !== undefined && chosen.includes(value)) && (
        <ul class="hint meanings">
          {options
            .filter(({ value, meaning }) => meaning !== undefined && chosen.includes(value))
            .map(({ value, label: name, meaning }) => (
              <li key={value}>
                {name}: {meaning}
              </li>
            ))}
        </ul>
      )}
      <FieldError id={id} text={error} />
    </div>
  );
}
