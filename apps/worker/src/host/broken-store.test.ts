import { defineBrokenStoreTests } from "../test/broken-store.ts";
import { patientClocks } from "../test/worker-process.ts";

defineBrokenStoreTests(patientClocks);
