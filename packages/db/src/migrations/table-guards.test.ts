import { expect, test } from "vitest";
import { splitRolesScript } from "./table-guards.ts";

test("splitRolesScript refuses a section that changes another table or can't run twice", () => {
  const section = (statements: string) => () => splitRolesScript(`GRANT a ON b TO c;\n-- On reports:\n${statements}\n`);
  const policy = "DROP POLICY IF EXISTS a ON reports;\nCREATE POLICY a ON reports USING (true);";
  expect(section(policy)().guards).toMatchObject([{ table: "reports", names: ["a"] }]);
  expect(section(`${policy}\nALTER TABLE domains ENABLE ROW LEVEL SECURITY;`)).toThrow("ALTER TABLE domains");
  expect(section(`${policy}\nDROP POLICY IF EXISTS b ON domains;`)).toThrow("b ON domains");
  expect(section(`${policy}\nCREATE TRIGGER b BEFORE INSERT ON reports EXECUTE FUNCTION c();`)).toThrow("remove b");
});
