/** The charge that a report carried. */
export interface BatteryReading {
  /** Receipt time. */
  time: Date;
  /** 0 to 100. */
  percent: number;
}

/** The battery has recovered when a reading is this far above the threshold. Percent. */
const HYSTERESIS = 10;

/** When the readings at the end began to be below the threshold; undefined if the last one is not. */
export function lowSince(readings: readonly BatteryReading[], threshold: number): Date | undefined {
  const lastNotLow = readings.findLastIndex(({ percent }) => percent >= threshold);
  const notLowAt = readings[lastNotLow]?.time ?? new Date(0);
  // of several readings at one moment, one that is not low decides
  return readings.slice(lastNotLow + 1).find(({ time }) => time > notLowAt)?.time;
}

/** The first reading that shows a new or charged battery. */
export function findRecovery(
  readings: readonly BatteryReading[],
  threshold: number,
): BatteryReading | undefined {
  return readings.find(({ percent }) => percent >= threshold + HYSTERESIS);
}

/** The readings at which the battery's charge changed, and the last one. */
export function changes(readings: readonly BatteryReading[]): BatteryReading[] {
  return readings.filter(
    ({ percent }, index) => percent !== readings[index - 1]?.percent || index === readings.length - 1,
  );
}
