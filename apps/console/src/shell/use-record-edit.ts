import { GatewayError, type CallOptions, type RecordGateway, type Stored } from "@reports/client";
import { useState } from "preact/hooks";
import { useQuery, type QueryResult } from "./use-query.ts";

export interface RecordEdit<Item> {
  readonly result: QueryResult<Stored<Item>>;
  /** The record as it was when the form was opened, if another user has changed it since. Otherwise null. */
  readonly replaced: Item | null;
  /** Runs a write with the `ifMatch` of the record. If the API responds with 412, reads the record again and resolves with false. */
  save(write: (ifMatch: string) => Promise<void>): Promise<boolean>;
}

/** Reads a record for a form that changes it. Does not poll, so the record changes under the user only after a 412. */
export function useRecordEdit<Item>(
  key: string,
  read: (gateway: RecordGateway, options: CallOptions) => Promise<Stored<Item>>,
): RecordEdit<Item> {
  const result = useQuery(key, read);
  const [conflict, setConflict] = useState<Stored<Item> | null>(null);
  const { value, reload } = result;
  return {
    result,
    replaced: conflict !== null && value !== null && value.etag !== conflict.etag ? conflict.record : null,
    async save(write) {
      try {
        await write(value!.etag);
        return true;
      } catch (error) {
        if (!(error instanceof GatewayError) || error.status !== 412) throw error;
        setConflict(value);
        reload();
        return false;
      }
    },
  };
}
