/** A deliberate mistake in the product, and what has to notice it. */
export interface Fault {
  /** What is wrong, as a statement: `a lease is ignored`. */
  name: string;
  /** The source file, from the repository's root. */
  file: string;
  /** Its right text, which occurs exactly once. */
  find: string;
  /** The wrong text in its place. */
  replace: string;
  /**
   * What catches it, scenarios before tests, and both before everything else: names of scenarios, without `.json`; or
   * unit and end-to-end tests, `FILE` or `FILE: TITLE`, for what no scenario can show (frozen processes, sockets, clocks).
   */
  caughtBy: readonly [string, ...string[]];
}
