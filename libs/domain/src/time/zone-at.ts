/** A patient's time zone, and the former ones, oldest first. */
export interface ZoneHistory {
  time_zone: string;
  former_time_zones?: { time_zone: string; until: Date }[];
}

/** The patient's time zone at an instant. */
export function zoneAt({ time_zone, former_time_zones = [] }: ZoneHistory, at: Date): string {
  return former_time_zones.find(({ until }) => at < until)?.time_zone ?? time_zone;
}
