import { findProgramPath, isAvailableOrThrowInCi } from "@reports/testing";

export function hasMaven(): boolean {
  const isThere = ["java", "javac", "mvn"].every((program) => findProgramPath(program) !== null);
  return isAvailableOrThrowInCi("Java with Maven (apt-get install default-jdk-headless maven)", isThere);
}
