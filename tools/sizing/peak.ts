import { bottlesOf, type Fleet, HEARTBEAT_INTERVAL, MINUTE, reportRates } from './fleet.js';

/** How a fleet takes a dose that all of them have at one hour of the clock. */
export interface Breakfast {
  /** Of all bottles, those that have a dose then. */
  share: number;
  /** In so many seconds they are opened and closed. */
  takenWithin: number;
  /** Of those doses, the ones that are not taken an hour later. All are late at the same moment. */
  late: number;
  /** In so many seconds all of these are looked at. Each is known to be late with its bottle's next heartbeat. */
  lookedAtWithin: number;
}

/** A fifth at eight within ten minutes. The lateness is a guess on the safe side. */
export const BREAKFAST: Breakfast = {
  share: 1 / 5,
  takenWithin: 10 * MINUTE,
  late: 1 / 10,
  lookedAtWithin: 10 * MINUTE,
};

/** What comes in one second of a peak. */
export interface PeakRates {
  heartbeats: number;
  actions: number;
  /** Doses that are looked at because they were taken, or because they are late and no report says so yet. */
  judged: number;
  /** Late doses that are found, raised as an alert, and sent. */
  late: number;
}

/** When all take their dose, and an hour later, when those that did not are late. The rest of the day goes on beside. */
export function peaks(fleet: Fleet, breakfast: Breakfast): Record<'taken' | 'late', PeakRates> {
  const { heartbeats, actions, doses } = reportRates(fleet);
  const due = bottlesOf(fleet) * breakfast.share;
  const [taken, notTaken] = [due / breakfast.takenWithin, due * breakfast.late];
  return {
    taken: { heartbeats, actions: 2 * taken, judged: taken, late: 0 },
    late: {
      heartbeats,
      actions,
      judged: doses + notTaken / breakfast.lookedAtWithin,
      late: notTaken / HEARTBEAT_INTERVAL,
    },
  };
}

export type Process = 'deviceApi' | 'notifier' | 'mongod';

/** Microseconds on the processor. */
export type Cost = Record<Process, number>;

/** Cores that are busy all the time in such a second. @param largeFleet by which mongod's part is multiplied */
export function busyCores(
  rates: PeakRates,
  costs: Record<keyof PeakRates, Cost>,
  largeFleet: number,
): Record<Process, number> {
  const of = (process: Process): number =>
    Object.entries(rates).reduce(
      (sum, [what, rate]) => sum + (rate * costs[what as keyof PeakRates][process]) / 1e6,
      0,
    );
  return { deviceApi: of('deviceApi'), notifier: of('notifier'), mongod: largeFleet * of('mongod') };
}

/** As many as are needed so that none is busier than it may be. @param cores of each */
export function needed(busy: number, cores: number, mostBusy: number): number {
  return Math.max(1, Math.ceil(busy / (cores * mostBusy)));
}
