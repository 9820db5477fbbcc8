import { useId } from "preact/hooks";

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly meaning?: string | undefined;
}

export function Select(props: {
  readonly label: string;
  /** The name of the field in the API. Error messages name the field by it. */
  readonly name?: string;
  readonly value: string;
  readonly options: readonly Option[];
  /** Label of the option for an empty value. If undefined, there is no such option, and the user must choose another one. */
  readonly emptyLabel?: string;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        name={props.name}
        value={props.value}
        aria-invalid={props.error !== undefined}
        aria-describedby={props.error === undefined ? undefined : `${id}-wrong`}
        onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
      >
        {props.emptyLabel !== undefined && <option value="">{props.emptyLabel}</option>}
        {props.options.map(({ value, label }) => (
          <option key={value} value={value} selected={value === props.value}>
            {label}
          </option>
        ))}
      </select>
      <FieldError id={id} text={props.error} />
    </div>
  );
}

export function Choice(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}) {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend class="unseen">{props.label}</legend>
      {props.options.map(({ value, label }) => (
        <label key={value}>
          <input type="radio" name={name} checked={value === props.value} onChange={() => props.onChange(value)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

export function TextField(props: {
  readonly label: string;
  readonly name?: string;
  readonly value: string;
  readonly type?: "text" | "password" | "number" | "search" | "time" | "datetime-local";
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly onInput: (value: string) => void;
}) {
  const id = useId();
  // The JSX types declare other props per input type and reject a union of types.
  const kind = { type: props.type ?? "text" } as { type: "text" };
  const described = [props.hint && `${id}-hint`, props.error && `${id}-wrong`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        name={props.name}
        {...kind}
        value={props.value}
        placeholder={props.placeholder}
        autocomplete={props.autocomplete ?? "off"}
        spellcheck={false}
        aria-invalid={props.error !== undefined}
        aria-describedby={described || undefined}
        onInput={({ currentTarget }) => props.onInput(currentTarget.value)}
      />
      {props.hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      <FieldError id={id} text={props.error} />
    </div>
  );
}

export function FieldError({ id, text }: { readonly id: string; readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p class="wrong" id={`${id}-wrong`} role="alert">
      {text}
    </p>
  );
}
