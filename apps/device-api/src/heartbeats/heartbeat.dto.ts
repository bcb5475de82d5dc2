import { InstantField, IntegerField, NumberField } from '#platform';

/** A sign of life; every field may be left out, and so may the body. */
export class HeartbeatDto {
  @InstantField({ optional: true, description: "The device's clock at the moment of sending." })
  sent_at?: string;

  @NumberField({ optional: true, min: 0, max: 100 })
  battery_percent?: number;

  @NumberField({ optional: true, min: -200, max: 50, description: 'Signal strength, dBm.' })
  rssi_dbm?: number;

  @NumberField({ optional: true, min: 0, max: 100_000, description: 'Grams.' })
  mass_of_contents?: number;

  @IntegerField({ optional: true, min: 0, max: 100_000 })
  number_of_pills?: number;
}
