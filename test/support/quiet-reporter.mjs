/**
 * What `npm test` prints of tests: now and then how far it is and which files are running; of a file that fails, at once,
 * what failed, why, and what it printed; at the end the count, how each failure began, and what
 * took longest.
 */
import { relative } from 'node:path';

/** How often it says how far it is. Milliseconds. */
const INTERVAL_MS = 30_000;
/** How many files it names that took longest. */
const SLOWEST = 15;
/** How much of a failure it repeats at the end, where a long log is read first. */
const LINES = 30;

/** As it is before a test file replaces it, or `console`, in a worker that is this process. */
const write = process.stdout.write.bind(process.stdout);
const print = (/** @type {string} */ text) => write(`${text}\n`);

export default class QuietReporter {
  /** @type {Set<string>} */
  #running = new Set();
  #files = 0;
  #done = 0;
  #began = performance.now();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {{ numTotalTestSuites: number }} results */
  onRunStart({ numTotalTestSuites }) {
    this.#files = numTotalTestSuites;
    this.#timer = setInterval(() => this.#say(`running ${[...this.#running].join(', ')}`), INTERVAL_MS);
  }

  /** @param {import('@jest/test-result').Test} test */
  onTestFileStart({ path }) {
    this.#running.add(nameOf(path));
  }

  /** @param {import('@jest/test-result').Test} test @param {import('@jest/test-result').TestResult} result */
  onTestFileResult({ path }, { failureMessage, console: printed }) {
    this.#running.delete(nameOf(path));
    this.#done += 1;
    if (!failureMessage) return;
    this.#say(`FAILED ${nameOf(path)}`);
    print(failureMessage);
    for (const { message } of printed ?? []) print(message);
  }

  /** @param {unknown} _ @param {import('@jest/test-result').AggregatedResult} results */
  onRunComplete(_, { numPassedTests, numFailedTests, testResults }) {
    clearInterval(this.#timer);
    this.#say(`${numPassedTests} passed, ${numFailedTests} failed`);
    for (const { failureMessage, testFilePath } of testResults)
      if (failureMessage)
        print(`  FAILED ${nameOf(testFilePath)}\n${failureMessage.split('\n').slice(0, LINES).join('\n')}`);
    const seconds = testResults.map(({ perfStats, testFilePath }) => ({
      file: nameOf(testFilePath),
      took: Math.round((perfStats.end - perfStats.start) / 1_000),
    }));
    const slowest = seconds.sort((a, b) => b.took - a.took).slice(0, SLOWEST);
    print(`  longest, in seconds: ${slowest.map(({ file, took }) => `${file} ${took}`).join(', ')}`);
  }

  /** @param {string} text */
  #say(text) {
    const seconds = Math.round((performance.now() - this.#began) / 1_000);
    print(`  ${seconds} s, ${this.#done} of ${this.#files} files: ${text}`);
  }
}

/** @param {string} path */
const nameOf = (path) => relative(process.cwd(), path);
