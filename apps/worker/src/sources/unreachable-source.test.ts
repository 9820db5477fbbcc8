import { testUnreachableSource } from "../test/unreachable-source.ts";
import { patientClocks } from "../test/worker-process.ts";

testUnreachableSource(patientClocks);
