import { testBrokenStore } from "../test/broken-store.ts";
import { patientClocks } from "../test/worker-process.ts";

testBrokenStore(patientClocks);
