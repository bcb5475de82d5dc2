import Sequencer from '@jest/test-sequencer';

/**
 * On two cores. Of the long tests, those that kill and start services all the time stand between others that mostly wait:
 * side by side they take each other's time, until what must come within minutes does not. Then comes what needs a core
 * all the time, longest first, so that no core is idle while the last one runs. A fresh clone has no times of an earlier
 * run to go by.
 */
const ORDER = [
  'scenarios/scenarios.',
  'upgrade/',
  'browser/timings.',
  'browser/pages.',
  'kills/',
  'faults/watchdog.',
  'browser/registry.',
  'timeseries/killed.',
  'restore-drill/',
  'contract/',
  'faults/',
  'scenarios/',
  'admin/command.',
  'embedded-database/',
  'simulator/',
  'notifier/',
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
