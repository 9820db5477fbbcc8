import { useState } from "preact/hooks";
import { focusFirstInvalid } from "../parts/form-failure.tsx";
import { toFailure, type Failure } from "./failure.ts";

export interface Submission {
  readonly failure: Failure | null;
  readonly isBusy: boolean;
  /** Returns a handler of the form's `submit` event. A second submit during the first `act` has no effect. */
  handle(act: () => Promise<void>): (event: Event) => void;
}

/** Returns the state of a form's submission. After a failure, the first invalid field gets the focus. */
export function useSubmit(): Submission {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isBusy, setBusy] = useState(false);
  async function run(act: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      await act();
    } catch (error) {
      const failed = toFailure(error);
      setFailure(failed);
      if (failed !== null) focusFirstInvalid(failed);
    } finally {
      setBusy(false);
    }
  }
  return {
    failure,
    isBusy,
    handle: (act) => (event) => {
      event.preventDefault();
      void run(act);
    },
  };
}
