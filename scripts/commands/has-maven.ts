import { findProgram, machineHas } from "@reports/testing";

/** Whether Java programs can be built with Maven's libraries. Throws in CI if not; elsewhere one line says so. */
export function hasMaven(): boolean {
  const isThere = ["java", "javac", "mvn"].every((program) => findProgram(program) !== null);
  return machineHas("Java with Maven (apt-get install default-jdk-headless maven)", isThere);
}
