/** Digits and signs have no direction that a text would take over; marks have no other purpose. */
const fromRight =
  /^[^\p{L}\u200E\u200F]*(?:\u200F|(?=\p{L})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}])/u;

/** Whether text is read from right to left: its first letter says so (Unicode Standard Annex #9, P2 and P3). */
export function isReadFromRight(text: string): boolean {
  return fromRight.test(text);
}
