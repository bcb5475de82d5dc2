import type { Fault } from '../fault.js';

const DEVICE_CLOCK = 'libs/domain/src/time/device-clock.ts';
const REPORTS = 'libs/domain/src/bottle-state/on-reports.ts';
const OPEN = 'libs/domain/src/alerts/kinds/bottle-open/finding.ts';

/** Late, skewed and replayed data. */
export const LATE_DATA: readonly Fault[] = [
  {
    name: 'a clock that begins anew with the count of events makes one event of two',
    file: 'libs/domain/src/ids/report-ids.ts',
    find: '=== deviceTimeOf(other).getTime() && haveSameContents(one, other)',
    replace: '=== deviceTimeOf(other).getTime()',
    caughtBy: ['libs/domain/src/ids/report-ids.spec.ts'],
  },
  {
    name: 'a report is refused for a field that cannot be meant',
    file: 'apps/device-api/src/reports/understand.ts',
    find: 'const fatal = errors.filter(({ field }) => needed.includes(field));',
    replace: 'const fatal = errors.filter(({ field }) => needed.includes(field) || field.length > 0);',
    caughtBy: ['sensor-sentinel-in-a-heartbeat'],
  },
  {
    name: 'a byte without a value is a number of pills that were taken',
    file: 'apps/device-api/src/reports/report.dto.ts',
    find: 'except: [255]',
    replace: 'except: [-1]',
    caughtBy: ['sentinels-in-place-of-counts'],
  },
  {
    name: 'what a device sends in place of a count is one',
    file: 'apps/device-api/src/reports/report.dto.ts',
    find: 'const SENTINELS = [32_767, 65_535];',
    replace: 'const SENTINELS = [-1];',
    caughtBy: ['sentinels-in-place-of-counts'],
  },
  {
    name: 'an empty bottle that weighs less than nothing has no weight',
    file: 'apps/device-api/src/reports/understand.ts',
    find: 'value < 0 && value >= -SCALE_DRIFT_G',
    replace: 'value < -SCALE_DRIFT_G',
    caughtBy: ['apps/device-api/src/reports/understand.spec.ts'],
  },
  {
    name: 'a part that was closed after the window of a dose is not sent',
    file: 'libs/domain/src/alerts/kinds/missed-dose/missed-dose.ts',
    find: 'matched.some(({ closed_at }) => isUnjudged(closed_at))',
    replace: 'false',
    caughtBy: ['part-closed-after-the-window-and-a-silence'],
  },
  {
    name: 'an older opening opens a bottle that is closed',
    file: REPORTS,
    find: "        ifNewer: 'last_action',\n        set: { last_action, open: true,",
    replace: '        set: { last_action, open: true,',
    caughtBy: ['libs/domain/src/bottle-state/on-reports.spec.ts: the newest stands'],
  },
  {
    name: 'an older closing closes a bottle that is open',
    file: REPORTS,
    find: "        ifNewer: 'last_action',\n        set: { last_action },",
    replace: '        set: { last_action },',
    caughtBy: ['older-closing-leaves-the-bottle-open'],
  },
  {
    name: 'an action counts as a sign of life at its own time',
    file: REPORTS,
    find: '  for (const { kind, document, receivedAt: at, clockOffset: offset_ms } of reports) {',
    replace:
      '  for (const { kind, document, clockOffset: offset_ms } of reports) {\n    const at = document.time;',
    caughtBy: ['liveness-by-receive-time'],
  },
  {
    name: 'the offset of a wrong clock is ignored',
    file: DEVICE_CLOCK,
    find: 'const shifted = time.getTime() - offsetMs;',
    replace: 'const shifted = time.getTime();',
    caughtBy: ['shuffled-backlog-of-a-wrong-clock', 'clock-in-1970'],
  },
  {
    name: 'the offset of a wrong clock is added',
    file: DEVICE_CLOCK,
    find: 'const shifted = time.getTime() - offsetMs;',
    replace: 'const shifted = time.getTime() + offsetMs;',
    caughtBy: ['shuffled-backlog-of-a-wrong-clock', 'clock-in-the-future'],
  },
  {
    name: 'an event may lie in the future',
    file: DEVICE_CLOCK,
    find: 'new Date(Math.min(time, now))',
    replace: 'new Date(time)',
    caughtBy: ['clock-ahead-without-sent-at'],
  },
  {
    name: 'an event whose own time is right is shifted into the future',
    file: DEVICE_CLOCK,
    find: 'if (!isPossible(shifted, now) && isPossible(time.getTime(), now))',
    replace: 'if (!isPossible(shifted, now) && !isPossible(time.getTime(), now))',
    caughtBy: ['backlog-across-a-new-battery'],
  },
  {
    name: 'a clock that is off by exactly the tolerance is wrong',
    file: DEVICE_CLOCK,
    find: 'Math.abs(offset) > CLOCK_TOLERANCE_MS',
    replace: 'Math.abs(offset) >= CLOCK_TOLERANCE_MS',
    caughtBy: ['libs/domain/src/time/device-clock.spec.ts'],
  },
  {
    name: 'an event without an id that is sent twice is two',
    file: 'libs/domain/src/ids/report-ids.ts',
    find: "derivedId(\n    'action',\n    bottleId,",
    replace: "derivedId(\n    'action',\n    bottleId,\n    String(Math.random()),",
    caughtBy: ['same-event-many-times'],
  },
  {
    name: 'an event that is sent twice is two',
    file: 'libs/domain/src/ids/report-ids.ts',
    find: "return derivedId('event', bottleId, report.event_id);",
    replace: "return derivedId('event', bottleId, report.event_id, String(Math.random()));",
    caughtBy: ['test/device-api/reports.cases.ts: is stored once, whatever way it comes'],
  },
  {
    name: 'an event id that comes again after a reset is a retry',
    file: 'libs/domain/src/ids/report-ids.ts',
    find: '< REUSED_AFTER_MS ||',
    replace: '<= REUSED_AFTER_MS ||',
    caughtBy: ['event-id-again-after-a-reset'],
  },
  {
    name: 'the same bytes with an old sent_at are another event',
    file: 'libs/domain/src/ids/report-ids.ts',
    find: '< REUSED_AFTER_MS ||\n    (deviceTimeOf(one).getTime() === deviceTimeOf(other).getTime() && haveSameContents(one, other))',
    replace: '< REUSED_AFTER_MS',
    caughtBy: ['libs/domain/src/ids/report-ids.spec.ts'],
  },
  {
    name: 'a retry of an event whose id was used before is another event',
    file: 'apps/device-api/src/reports/repeated-actions.ts',
    find: '.find((one) => isOneEvent(one, action));',
    replace: '.find((one) => isOneEvent(one, action) && one._id.equals(ids.own));',
    caughtBy: ['test/device-api/reports.cases.ts: for another event, once'],
  },
  {
    name: 'a time without a zone is refused',
    file: 'apps/device-api/src/reports/understand.ts',
    find: "const isWithoutZone = inUtc(sentAt) !== undefined && inUtc(sent['time']) !== undefined;",
    replace: 'const isWithoutZone = false;',
    caughtBy: ['time-without-a-zone'],
  },
  {
    name: 'a time without a zone needs no clock without one',
    file: 'apps/device-api/src/reports/understand.ts',
    find: 'const isWithoutZone = inUtc(sentAt) !== undefined &&',
    replace: 'const isWithoutZone =',
    caughtBy: ['apps/device-api/src/reports/understand.spec.ts: but with the clock'],
  },
  {
    name: 'the items of a batch have no clock if it has no zone',
    file: 'apps/device-api/src/reports/device-times.ts',
    find: 'return isWithoutZone ? new Date(inUtc(sent)!) : at;',
    replace: 'return at;',
    caughtBy: ['time-without-a-zone'],
  },
  {
    name: 'a report that is refused with its request is not counted',
    file: 'apps/device-api/src/reports/refusals.ts',
    find: 'this.counters.countRefused(type, code, reports);',
    replace: "if (code === 'rate_limited') this.counters.countRefused(type, code, reports);",
    caughtBy: ['test/device-api/odd-reports.cases.ts: counts every refused report'],
  },
  {
    name: 'a problem of reports is counted from its first time only',
    file: 'libs/persistence/src/bottle-states/report-problems.repository.ts',
    find: "count: { $add: [{ $ifNull: ['$$before.count', 0] }, count] },",
    replace: "count: { $ifNull: ['$$before.count', count] },",
    caughtBy: ['test/device-api/odd-reports.cases.ts: notes on the bottle what was left out or refused'],
  },
  {
    name: 'a report leaves a new bottle unknown',
    file: REPORTS,
    find: "clear: ['quiet', 'vitals'],",
    replace: 'clear: [],',
    caughtBy: ['one-status-for-each-bottle'],
  },
  {
    name: 'a contact does not wake the judgement that waits for it',
    file: REPORTS,
    find: "end: ['alerted_silence', 'dose_wait'],",
    replace: 'end: [],',
    caughtBy: ['opening-is-a-sign-of-life'],
  },
  {
    name: 'an opening in a silence is called open',
    file: OPEN,
    find: `  if (state.alerted_silence === 'lasting') return { result: 'inhibited' };
  const { silentAfter, backlogGrace } = thresholds;
  // the check of silent bottles comes first
  if (coverage.since(state.last_heard_at ?? opened.received_at) >= silentAfter)
    return { result: 'silence_first' };`,
    replace: '  const { backlogGrace } = thresholds;',
    caughtBy: ['silent-bottle-is-not-called-open'],
  },
  {
    name: 'an opening that a silence inhibited is judged before the backlog has come',
    file: OPEN,
    find: "if (state.alerted_silence === 'lasting')",
    replace: 'if (state.alerted_silence && !state.silent_since)',
    caughtBy: [
      'closing-comes-with-the-backlog',
      'test/notifier/open.cases.ts: that was closed meanwhile raises nothing when its backlog arrives',
    ],
  },
  {
    name: 'an opening that was not confirmed in a silence is forgotten',
    file: 'libs/domain/src/bottle-state/on-checks.ts',
    find: 'const resume = state.open && state.open_inhibited;',
    replace: 'const resume = !state.open && state.open_inhibited;',
    caughtBy: ['test/notifier/open.cases.ts: is only last known open, and checked again after it reports'],
  },
  {
    name: 'a closing that came late resolves an alert that was wrong',
    file: OPEN,
    find: "const outcome = wrong ? 'retracted' : 'resolved';",
    replace: "const outcome = 'resolved';",
    caughtBy: ['closing-in-time-that-came-late'],
  },
  {
    name: 'a removal that arrives late does not judge its dose again',
    file: 'apps/notifier/src/doses/dose-judgement.ts',
    find: 'changed.getTime(), again.getTime(), ...touched));',
    replace: 'changed.getTime(), again.getTime()));',
    caughtBy: ['one-backlog-corrects-several-doses', 'found-after-days-offline'],
  },
];
