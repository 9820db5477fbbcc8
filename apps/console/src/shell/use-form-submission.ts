import { useState } from "preact/hooks";
import { focusFirstInvalid } from "../parts/form-failure.tsx";
import { toCallFailure, type CallFailure } from "./call-failure.ts";

export interface FormSubmission {
  readonly failure: CallFailure | null;
  readonly isBusy: boolean;
  handle(act: () => Promise<void>): (event: Event) => void;
}

export function useFormSubmission(): FormSubmission {
  const [failure, setFailure] = useState<CallFailure | null>(null);
  const [isBusy, setBusy] = useState(false);
  async function run(act: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      await act();
    } catch (error) {
      const failed = toCallFailure(error);
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
