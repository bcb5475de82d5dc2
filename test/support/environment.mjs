import { TestEnvironment } from 'jest-environment-node';

/** Lets a harness describe what it sees when a test fails, before the test's `afterEach` tidies it up. */
export default class extends TestEnvironment {
  async handleTestEvent({ name }) {
    if (name === 'test_fn_failure') await this.global.onTestFailure?.();
  }
}
