/** The API writes the name of the deployment's brand into the page as its title. */
export const brandName = document.title;

const colour = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.content;
if (colour !== undefined) {
  document.documentElement.style.setProperty("--brand", colour);
  document.documentElement.classList.add("branded");
}
