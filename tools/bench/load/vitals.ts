/** What a heartbeat of the simulator says of its bottle. */
export interface Vitals {
  battery_percent: number;
  rssi_dbm: number;
}

/** The n-th heartbeat's: no battery is low, as nearly all of a fleet's are. */
export function vitalsOf(n: number): Vitals {
  return { battery_percent: 20 + (n % 80), rssi_dbm: -45 - (n % 40) };
}
