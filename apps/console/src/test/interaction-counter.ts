import type { Locator, Page } from "playwright-core";

/** Seconds that a practised user needs per click and per character, according to the keystroke-level model. */
const [clickSeconds, characterSeconds] = [1.2, 0.28];

export class InteractionCounter {
  readonly page: Page;
  #clicks = 0;
  #characters = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    this.#clicks += 1;
    await target.click();
  }

  /** Chooses an option of a list. One click opens the list, and one chooses. */
  async choose(list: Locator, label: string): Promise<void> {
    this.#clicks += 2;
    await list.selectOption({ label });
  }

  async fill(field: Locator, text: string): Promise<void> {
    await this.click(field);
    if ((await field.getAttribute("type")) === "text") await field.selectText();
    await this.type(text);
  }

  async type(text: string): Promise<void> {
    this.#characters += text.length;
    await this.page.keyboard.type(text);
  }

  async paste(text: string): Promise<void> {
    this.#characters += 1;
    await this.page.keyboard.insertText(text);
  }

  get effort(): string {
    const counts = [
      [this.#clicks, "click"],
      [this.#characters, "character"],
    ] as const;
    const seconds = this.#clicks * clickSeconds + this.#characters * characterSeconds;
    return [
      ...counts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`),
      `${seconds.toFixed(1)} s`,
    ].join(", ");
  }
}
