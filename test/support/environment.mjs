/** Node's own globals. Lets a harness describe what it sees when a test fails, before the test's `afterEach` tidies it up. */
export default class NodeEnvironment {
  global = globalThis;
  exportConditions = () => ['node', 'node-addons'];

  constructor({ projectConfig }) {
    Object.assign(globalThis, projectConfig.globals);
  }

  async setup() {}
  async teardown() {}

  getVmContext() {
    return null;
  }

  async handleTestEvent({ name }) {
    if (name === 'test_fn_failure') await globalThis.onTestFailure?.();
  }
}
