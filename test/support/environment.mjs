/**
 * Node's own globals. Lets a harness describe what it sees when a test fails, before the test's `afterEach` tidies it up.
 * In `npm test`, what is printed while a test runs is shown only if it fails: many tests make the services log errors, of
 * bad records and of databases that are stopped.
 */
export default class NodeEnvironment {
  global = globalThis;
  exportConditions = () => ['node', 'node-addons'];
  #isQuiet = process.env.PILLWATCH_TEST_QUIET === '1';
  /** Since the test began, or the one before ended. @type {{ write: NodeJS.WriteStream['write'], chunk: string | Uint8Array }[]} */
  #held = [];
  /** @type {(() => void)[]} */
  #restore = [];

  constructor({ projectConfig }) {
    Object.assign(globalThis, projectConfig.globals);
  }

  async setup() {
    if (this.#isQuiet) for (const stream of [process.stdout, process.stderr]) this.#hold(stream);
  }

  async teardown() {
    for (const restore of this.#restore) restore();
  }

  getVmContext() {
    return null;
  }

  async handleTestEvent({ name, test }) {
    if (name === 'test_fn_failure') await globalThis.onTestFailure?.();
    const isOver = name === 'test_done';
    const hasFailed = name === 'hook_failure' || name === 'error' || (isOver && test.errors.length > 0);
    if (hasFailed) for (const { write, chunk } of this.#held) write(chunk);
    if (isOver || hasFailed) this.#held = [];
  }

  /** @param {NodeJS.WriteStream} stream */
  #hold(stream) {
    const write = stream.write.bind(stream);
    stream.write = (chunk, encoding, callback) => {
      this.#held.push({ write, chunk });
      (typeof encoding === 'function' ? encoding : callback)?.();
      return true;
    };
    this.#restore.push(() => (stream.write = write));
  }
}
