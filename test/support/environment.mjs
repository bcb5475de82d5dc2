/**
 * Node's own globals. Lets a harness describe what it sees when a test fails, before the test's `afterEach` tidies it up.
 * In `npm test`, what is printed while a file runs is shown only if one of its tests fails: many tests make the services
 * log errors, of bad records and of databases that are stopped.
 */
export default class NodeEnvironment {
  global = globalThis;
  exportConditions = () => ['node', 'node-addons'];
  #isQuiet = process.env.PILLWATCH_TEST_QUIET === '1';
  #hasFailed = false;
  /** @type {(() => void)[]} puts each stream back, and shows what it got if a test has failed */
  #restore = [];

  constructor({ projectConfig }) {
    Object.assign(globalThis, projectConfig.globals);
  }

  async setup() {
    if (this.#isQuiet) this.#restore = [process.stdout, process.stderr].map((stream) => this.#hold(stream));
  }

  async teardown() {
    for (const restore of this.#restore) restore();
  }

  getVmContext() {
    return null;
  }

  async handleTestEvent({ name }) {
    if (name === 'test_fn_failure' || name === 'hook_failure' || name === 'error') this.#hasFailed = true;
    if (name === 'test_fn_failure') await globalThis.onTestFailure?.();
  }

  /** @param {NodeJS.WriteStream} stream */
  #hold(stream) {
    const write = stream.write.bind(stream);
    /** @type {(string | Uint8Array)[]} */
    const held = [];
    stream.write = (chunk, encoding, callback) => {
      held.push(chunk);
      (typeof encoding === 'function' ? encoding : callback)?.();
      return true;
    };
    return () => {
      stream.write = write;
      if (this.#hasFailed) for (const chunk of held) stream.write(chunk);
    };
  }
}
