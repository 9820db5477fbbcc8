import { findProgram, machineHas } from "@reports/testing";

/** Reports whether Java and Maven are installed. If they are not, throws in CI, and prints a line elsewhere. */
export function hasMaven(): boolean {
  const isThere = ["java", "javac", "mvn"].every((program) => findProgram(program) !== null);
  return machineHas("Java with Maven (apt-get install default-jdk-headless maven)", isThere);
}
