import type { Locator, Page } from 'playwright-core';

/**
 * The operators of the keystroke-level model (Card, Moran and Newell, 1980), in seconds: a key, by a typist of 40 words a
 * minute; pointing at a target; a press of the mouse's button and its release; the hand from keyboard to mouse, or back;
 * a mental step.
 */
const SECONDS = { K: 0.28, P: 1.1, B: 0.2, H: 0.4, M: 1.35 } as const;

/** Someone whose clicks and keys are counted. Each control that they aim at is preceded by a mental step. */
export class CountedUser {
  clicks = 0;
  keys = 0;
  private model = 0;
  private hand: 'mouse' | 'keyboard';
  private readonly startedAt = performance.now();

  constructor(
    readonly page: Page,
    readonly way: 'mouse' | 'keyboard',
  ) {
    this.hand = way;
  }

  /** Points at something and clicks. */
  async click(target: Locator): Promise<void> {
    this.use('mouse');
    this.clicks += 1;
    this.model += SECONDS.M + SECONDS.P + SECONDS.B;
    await target.click();
  }

  /** Types a text where the cursor is. The mental step was that of going there. */
  async type(text: string): Promise<void> {
    this.use('keyboard');
    this.keys += text.length;
    this.model += text.length * SECONDS.K;
    await this.page.keyboard.type(text);
  }

  /** Presses keys of which the user knows the meaning: one mental step. */
  async press(...keys: string[]): Promise<void> {
    this.use('keyboard');
    this.keys += keys.length;
    this.model += SECONDS.M + keys.length * SECONDS.K;
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Tabs until something has the focus. @throws Error if it is not reached with the Tab key */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    this.use('keyboard');
    this.model += SECONDS.M;
    for (let stop = 0; stop < 60; stop += 1) {
      if (await hasFocus(target)) return;
      await this.page.keyboard.press('Tab');
      this.keys += 1;
      this.model += SECONDS.K;
    }
    throw new Error(`not reached with the Tab key: ${String(target)}`);
  }

  /** Goes to a field, by pointer or by Tab, and types into it. That the cursor is there already takes a mental step. */
  async fill(field: Locator, text: string): Promise<void> {
    if (this.way === 'keyboard') await this.tabTo(field);
    else if (await hasFocus(field)) this.model += SECONDS.M;
    else await this.click(field);
    await this.type(text);
  }

  /** Uses a control, by pointer, or by Tab and a key. */
  async activate(control: Locator, key = 'Enter'): Promise<void> {
    if (this.way === 'mouse') return this.click(control);
    await this.tabTo(control);
    this.keys += 1;
    this.model += SECONDS.K;
    await this.page.keyboard.press(key);
  }

  /** What it took: the machine's time as measured, and the person's by the model. Seconds. */
  result() {
    const machine = (performance.now() - this.startedAt) / 1_000;
    return { clicks: this.clicks, keys: this.keys, machine, person: this.model, total: machine + this.model };
  }

  private use(hand: 'mouse' | 'keyboard'): void {
    if (this.hand !== hand) this.model += SECONDS.H;
    this.hand = hand;
  }
}

const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element.matches(':focus'));
