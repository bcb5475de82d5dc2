/** A bottle's zone, and those that it was at home in before, oldest first. */
export interface ZoneHistory {
  time_zone: string;
  former_time_zones?: { time_zone: string; until: Date }[];
}

/** The zone in which a bottle was at home at a moment. */
export function zoneAt({ time_zone, former_time_zones = [] }: ZoneHistory, at: Date): string {
  return former_time_zones.find(({ until }) => at < until)?.time_zone ?? time_zone;
}
