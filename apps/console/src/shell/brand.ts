/** The name of the deployment's brand, which the API writes into the page as its title. */
export const brandName = document.title;

const colour = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.content;
// Without a colour of its own, the deployment has the colours of the style sheet.
if (colour !== undefined) {
  document.documentElement.style.setProperty("--brand", colour);
  document.documentElement.classList.add("branded");
}
