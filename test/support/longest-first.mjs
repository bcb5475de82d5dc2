import Sequencer from '@jest/test-sequencer';

/** What takes longest in a run on two cores, longest first. A fresh clone has no times of an earlier run to go by. */
const LONGEST = [
  'scenarios/scenarios.',
  'kills/',
  'upgrade/',
  'restore-drill/',
  'browser/timings.',
  'timeseries/killed.',
  'faults/kills.',
  'browser/pages.',
  'notifier/checks.',
  'faults/database-down.',
  'notifier/',
  'browser/registry.',
  'timeseries/',
  'device-api/device-api.',
  'embedded-database/',
  'support-api/',
  'flows/',
  'faults/',
  'browser/',
  'admin/command.',
  'simulator/',
  'lab/',
];

/** Starts the longest test files first, so that no core is idle while the last one runs. */
export default class LongestFirst extends Sequencer {
  /** @param {import('@jest/test-result').Test[]} tests */
  sort(tests) {
    const place = (/** @type {string} */ path) => {
      const at = LONGEST.findIndex((part) => path.includes(`/test/${part}`));
      return at === -1 ? LONGEST.length : at;
    };
    return super.sort(tests).toSorted((one, other) => place(one.path) - place(other.path));
  }
}
