import { OptionalText } from '#platform';

/** What the simulator takes from the environment; everything else comes from the command line. */
export class SimulatorConfig {
  /** support-api's admin key, with which the bottles are registered. */
  @OptionalText()
  ADMIN_TOKEN?: string;
}
