import { defineUnreachableSourceTest } from "../test/unreachable-source.ts";

defineUnreachableSourceTest("production");
