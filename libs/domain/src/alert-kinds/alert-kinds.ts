/** The facts of one kind of alert. What is found, and how it is worded, is in the notifier's and the console's entries. */
export interface AlertKindFacts {
  /** In a few words, for a person who is not staff. */
  title: string;
  /** Name of its series in the fleet's charts. */
  series: string;
  /** Place in the list of alerts that need attention; 0 comes first. */
  urgency: number;
  /** Quiet hours do not defer its notifications. */
  critical?: true;
  /** The recipient's hourly limit does not delay its notifications. */
  unthrottled?: true;
  /** Its condition comes and goes by itself, so its end is held down. Other kinds have a hysteresis. */
  canFlap?: true;
  /** `DISABLED_ALERTS` may name it. */
  optional?: true;
  /** An open or dismissed fleet incident holds its notifications back. */
  heldByFleetIncident?: true;
  /** Only staff end it: its condition is an event that is over. */
  endsByStaff?: true;
  /** It is about the whole fleet: staff confirm or dismiss it. */
  aboutFleet?: true;
  /** Its end is sent even if its start did not arrive, or was over before it was sent. */
  endStandsAlone?: true;
  /** It has the escalation policy of another kind. */
  policyOf?: 'missed_dose';
}

/** Every kind of alert. The order is that of the API's enumerations and of the charts. */
export const ALERT_KIND_FACTS = {
  missed_dose: { title: 'Dose not taken yet', series: 'Missed dose', urgency: 2, unthrottled: true },
  bottle_open: { title: 'Bottle left open', series: 'Bottle open', urgency: 4, canFlap: true },
  bottle_silent: {
    title: 'Bottle offline',
    series: 'Bottle silent',
    urgency: 5,
    canFlap: true,
    heldByFleetIncident: true,
  },
  extra_dose: {
    title: 'More pills taken than planned',
    series: 'Extra dose',
    urgency: 1,
    critical: true,
    endsByStaff: true,
    unthrottled: true,
    optional: true,
  },
  low_supply: { title: 'Pills running low', series: 'Low supply', urgency: 7, optional: true },
  count_mismatch: {
    title: 'Weight and pill count differ',
    series: 'Count mismatch',
    urgency: 6,
    optional: true,
  },
  battery_low: {
    title: 'Bottle battery low',
    series: 'Battery low',
    urgency: 8,
    optional: true,
  },
  fleet_incident: {
    title: 'Many bottles offline at once',
    series: 'Fleet incident',
    urgency: 0,
    aboutFleet: true,
  },
  coverage_gap: {
    title: 'We could not see: no reports accepted, or no checks run',
    series: 'Coverage gap',
    urgency: 3,
    endStandsAlone: true,
    policyOf: 'missed_dose',
    unthrottled: true,
  },
} as const satisfies Record<string, AlertKindFacts>;

export type AlertKind = keyof typeof ALERT_KIND_FACTS;

export const ALERT_KINDS = Object.keys(ALERT_KIND_FACTS) as [AlertKind, ...AlertKind[]];

/** The facts of a kind. */
export function alertKindFacts(kind: AlertKind): AlertKindFacts {
  return ALERT_KIND_FACTS[kind];
}

/** The kinds of which a fact holds. */
export function alertKindsThat(
  fact: 'critical' | 'unthrottled' | 'canFlap' | 'optional' | 'heldByFleetIncident' | 'aboutFleet',
): AlertKind[] {
  return ALERT_KINDS.filter((kind) => alertKindFacts(kind)[fact]);
}

/** The kinds, the most urgent first. */
export const BY_URGENCY: readonly AlertKind[] = ALERT_KINDS.toSorted(
  (one, other) => alertKindFacts(one).urgency - alertKindFacts(other).urgency,
);
