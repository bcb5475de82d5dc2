/**
 * Jest's `runtime` without the `vm` module: Node itself loads the tests, the services and the packages, once for all
 * files of a worker. In a `vm` context the database driver takes a third more CPU, and every file loads everything again.
 * `jest.mock` and a global environment of each file's own are what it lacks.
 */
import { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
/** Which methods Jest calls, and when, is documented nowhere. */
const KNOWN = '30.';
let loaded = 0;

export default class NodeRuntime {
  static {
    const { version } = require('jest/package.json');
    if (!version.startsWith(KNOWN))
      throw new Error(`Jest ${version} is unknown to test/support/node-runtime.mjs`);
    register('./typescript-hooks.mjs', import.meta.url);
    process.setSourceMapsEnabled(true);
  }

  /** @param {{ setupFiles: string[], globals: { TRIAL?: number } }} config of the project */
  constructor({ setupFiles, globals }) {
    this.setupFiles = setupFiles;
    this.trial = globals.TRIAL;
  }

  /** @param {string} path Jest's test framework, asked for before each file. */
  requireInternalModule(path) {
    // Jest's source maps are those that it made itself; Node knows the others
    delete Error.prepareStackTrace;
    // it sets 100 before each file, for its own `Error`; here every error of the services would be that deep
    Error.stackTraceLimit = 20;
    // it keeps what a file defines and who listens: each file has its own
    delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** @param {string} path */
  async unstable_importModule(path) {
    const { href } = pathToFileURL(path);
    // what a setup file does to the packages stays done
    if (this.setupFiles.includes(path)) return import(href);
    // a file may be in two projects
    loaded += 1;
    return import(this.trial === undefined ? `${href}?${loaded}` : `${href}?trial=${this.trial}`);
  }

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {}
  setGlobalsForRuntime() {}
  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}
