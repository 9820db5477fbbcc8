import { findProgram, machineHas } from "@reports/testing";

/** Whether Java can be compiled and run, with libraries of Maven's. Throws in CI where it cannot; elsewhere one line says so. */
export function hasMaven(): boolean {
  const isThere = ["java", "javac", "mvn"].every((program) => findProgram(program) !== null);
  return machineHas("Java with Maven (apt-get install default-jdk-headless maven)", isThere);
}
