import { useState } from "preact/hooks";
import { focusFirstInvalid } from "../parts/form-failure.tsx";
import { toFailure, type Failure } from "./failure.ts";

export interface Submission {
  readonly failure: Failure | null;
  readonly isBusy: boolean;
  handle(act: () => Promise<void>): (event: Event) => void;
}

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
