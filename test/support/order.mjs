import Sequencer from '@jest/test-sequencer';

/**
 * On two cores. The scenarios, which are two processes of their own, run beside tests that mostly wait: for a process, a
 * database, a deadline. Then comes what needs a core all the time, longest first, so that no core is idle while the last
 * one runs. A fresh clone has no times of an earlier run to go by.
 */
const ORDER = [
  'scenarios/scenarios.',
  'kills/',
  'upgrade/',
  'faults/watchdog.',
  'timeseries/killed.',
  'browser/timings.',
  'contract/',
  'scenarios/',
  'restore-drill/',
  'faults/',
  'admin/command.',
  'embedded-database/',
  'simulator/',
  'browser/pages.',
  'notifier/',
  'browser/registry.',
  'support-api/work.',
  'timeseries/',
  'support-api/',
  'device-api/device-api.',
  'browser/',
  'flows/',
  'lab/',
];

/** Starts the test files in {@link ORDER}. */
export default class InOrder extends Sequencer {
  /** @param {import('@jest/test-result').Test[]} tests */
  sort(tests) {
    const place = (/** @type {string} */ path) => {
      const at = ORDER.findIndex((part) => path.includes(`/test/${part}`));
      return at === -1 ? ORDER.length : at;
    };
    return super.sort(tests).toSorted((one, other) => place(one.path) - place(other.path));
  }
}
