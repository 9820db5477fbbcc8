import { defineUnreachableSourceTest } from "../test/unreachable-source.ts";
import { patientClocks } from "../test/worker-process.ts";

defineUnreachableSourceTest(patientClocks);
