import { testUnreachableSource } from "../test/unreachable-source.ts";

testUnreachableSource("production");
