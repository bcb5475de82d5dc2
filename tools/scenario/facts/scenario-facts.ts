import ms, { type StringValue } from 'ms';
import type { BottleSpec, Scenario, ScenarioEvent } from '../file/format.js';
import { type DueDose, dueDoses, type Walls } from '../generate/oracle/due-doses.js';
import { DAY, type DosePause, type Prescription, SECOND, type Span } from '../generate/oracle/facts.js';
import { type DoseIntake, matchRemovals, type Surplus } from '../generate/oracle/intakes.js';
import { keptOut } from '../generate/oracle/put-back.js';
import { knownAt as stepsKnownAt, type Prescribed, AHEAD, prescribedFor } from './prescribed.js';
import { reportedBy, type Reported } from './reported.js';
import { acceptingSpans, inOrder } from './service.js';
import { planAt, sharingOf } from './shared-plan.js';
import { Zone } from './zone.js';

/** As documented in docs/settings.md. */
const DEFAULTS = {
  SILENT_BOTTLE_AFTER: '60m',
  OPEN_BOTTLE_AFTER: '5m',
  BATTERY_LOW_PERCENT: '15',
  FLEET_INCIDENT_PERCENT: '20',
  COVERAGE_GAP_AFTER: '10m',
  LOW_SUPPLY_DAYS: '3',
  MISSED_IN_A_ROW: '3',
  // of a scenario: without it a mail would not show whose medication it is about
  MAIL_NAMES_MEDICATION: 'true',
} as const;
type Setting = keyof typeof DEFAULTS;
type ContactEvent = Extract<ScenarioEvent, { type: 'contact' }>;

/** The periods without monitoring as they are known at a moment. */
export function periodsKnownAt(periods: readonly DosePause[], at: number): DosePause[] {
  return periods.filter(({ orderedAt, changedAt = Infinity }) => orderedAt <= at && at < changedAt);
}

/** An action whose `time` has the precision of the facts. */
export type RoundedAction = Reported['actions'][number] & {
  /** To the millisecond. */
  happenedAt: number;
};

/** What a scenario says of one bottle. Epoch milliseconds. */
export interface BottleStory extends Prescribed, Omit<Reported, 'actions'> {
  spec: BottleSpec;
  actions: RoundedAction[];
  /** What all bottles of its plan reported that is of the plan, each with its bottle's key. */
  ofPlan: (RoundedAction & { bottle: string })[];
  /** The keys of the bottles that are ever for its plan, its own first. */
  bottlesOfPlan: string[];
}

/** One person of a contact, as a scenario's file has them. */
export interface PersonOfContact {
  role: 'user' | 'carer';
  /** Of a carer. */
  carer_id?: string;
  name?: string;
  email?: string;
  sms?: string;
  webhook?: boolean;
  time_zone?: string;
  language?: string;
}

/** The carers of a contact's body: the first is `carer`, the next `carer-2`, unless they say otherwise. */
export function carersIn(body: Readonly<Record<string, unknown>> | undefined): ({ id: string } & object)[] {
  const first = body?.['carer'] as object | undefined;
  const carers = (body?.['carers'] as object[] | undefined) ?? (first ? [first] : []);
  return carers.map((carer, index) => ({ id: index === 0 ? 'carer' : `carer-${index + 1}`, ...carer }));
}

/** Doses are known so long after the end: an extra dose names the next ones, for which its pills may be. */
const DOSES_AHEAD = 16 * DAY;
/** The same where days without a dose are between them: a pillbox may be filled for months. */
const RARE_DOSES_AHEAD = 120 * DAY;

const isRare = ({ plan: { days, monthDays, cycle, every } }: Prescription): boolean =>
  days.length > 0 || monthDays !== undefined || cycle !== undefined || every > DAY;

/** What a scenario says happened, worked out from its file alone. Nothing here is the product's. */
export class ScenarioFacts {
  readonly accepting: Span[];
  private readonly stories = new Map<string, BottleStory>();
  private readonly zones = new Map<string, Zone>();
  private readonly known = new Map<string, DueDose[]>();
  /** Asked for with each message of a fleet. */
  private readonly knownHandovers = new Map<string, { at: number; user: string }[]>();
  private readonly knownContacts = new Map<string, ContactEvent[]>();

  private seconds: ScenarioFacts | undefined;

  /** @param precision of the times of what happened, milliseconds: those between are left out */
  constructor(
    readonly scenario: Scenario,
    private readonly precision = 1,
  ) {
    this.accepting = acceptingSpans(scenario).map(({ from, to }) => ({
      from: this.rounded(from),
      to: this.rounded(to),
    }));
  }

  /** The same as people read it: a mail names whole seconds. */
  get inSeconds(): ScenarioFacts {
    this.seconds ??= new ScenarioFacts(this.scenario, SECOND);
    return this.seconds;
  }

  /** Undefined for what is no bottle of the scenario: alerts of the service name none. */
  story(key: string): BottleStory | undefined {
    const spec = this.scenario.bottles.find((bottle) => bottle.key === key);
    if (!spec) return undefined;
    const story = this.stories.get(key) ?? this.read(spec);
    this.stories.set(key, story);
    return story;
  }

  /** The stories of the bottles for whose plans a bottle ever is, its own first. */
  plansOf(key: string): BottleStory[] {
    const others = sharingOf(key, this.scenario).map(({ of }) => of);
    return [...new Set([key, ...others])].flatMap((each) => this.story(each) ?? []);
  }

  /** Whether a bottle is for the plan of another one, or of its own, at a moment. */
  isOfPlan(key: string, leader: string, at: number): boolean {
    return planAt(key, sharingOf(key, this.scenario), at) === leader;
  }

  /** Whether a bottle is for the plan of another one at some time of `[from, to]`. */
  isOfPlanWithin(key: string, leader: string, from: number, to: number): boolean {
    return sharingOf(key, this.scenario).some(
      (sharing) => sharing.of === leader && sharing.from <= to && from < sharing.to,
    );
  }

  /** The doses as prescribed by a moment, in order. */
  doses({ spec, prescriptions, pauses }: BottleStory, knownAt: number): DueDose[] {
    const plans = stepsKnownAt(prescriptions, knownAt);
    const breaks = periodsKnownAt(pauses, knownAt);
    return this.dosesOf(spec, plans, breaks);
  }

  /** The doses as prescribed by a moment, in order, and those in periods without monitoring. */
  allDoses({ spec, prescriptions }: BottleStory, knownAt: number): DueDose[] {
    return this.dosesOf(spec, stepsKnownAt(prescriptions, knownAt), []);
  }

  /** Whether a dose follows a moment by the steps that staff had planned at another. */
  hasDoseAfter({ spec, prescriptions }: BottleStory, moment: number, knownAt: number): boolean {
    return this.dosesOf(spec, stepsKnownAt(prescriptions, knownAt), []).some(({ at }) => at > moment);
  }

  private dosesOf(spec: BottleSpec, plans: readonly Prescription[], breaks: readonly DosePause[]): DueDose[] {
    const version = JSON.stringify([spec.key, plans.map(({ from }) => from), breaks]);
    const { start, end } = this.scenario;
    const from = start.getTime() - DAY;
    const to = end.getTime() + (plans.some(isRare) ? RARE_DOSES_AHEAD : DOSES_AHEAD);
    const walls = { in: (zone: string): Zone => this.zone(zone, from, end.getTime() + RARE_DOSES_AHEAD) };
    const doses = this.known.get(version) ?? dueDoses(plans, breaks, { from, to }, walls);
    this.known.set(version, doses);
    return doses;
  }

  /** Which removals that were known by a moment were of which doses. */
  intakes(story: BottleStory, knownAt: number): { intakes: DoseIntake[]; surplus: Surplus[] } {
    const actions = story.ofPlan.filter(({ known }) => known <= knownAt);
    const removals = story.bottlesOfPlan
      .flatMap((key) => keptOut(actions.filter(({ bottle }) => bottle === key)))
      .map((removal) => {
        const before = actions
          .filter(({ bottle }) => bottle === removal.bottle)
          .filter(({ time, action }) => time < removal.time || (time === removal.time && action === 'opened'))
          .toSorted((one, other) => one.time - other.time)
          .at(-1);
        return { ...removal, ...(before?.action === 'opened' && { openedAt: before.time }) };
      });
    return matchRemovals(this.doses(story, knownAt), removals);
  }

  /** Milliseconds. */
  span(name: Setting): number {
    return ms(this.setting(name) as StringValue);
  }

  setting(name: Setting): string {
    return this.scenario.settings[name] ?? DEFAULTS[name];
  }

  /** Whose a bottle was by a moment, oldest first; of none of the scenario nobody's. */
  usersOf(story: BottleStory | undefined, by = Infinity): string[] {
    if (!story) return [];
    const changes = this.handovers(story.spec.key).filter(({ at }) => at <= by);
    return [story.spec.user_id, ...changes.map(({ user }) => user)];
  }

  /** When a bottle got another user, or was in use again, in order. */
  handovers(key: string): { at: number; user: string }[] {
    const found = this.knownHandovers.get(key) ?? this.readHandovers(key);
    this.knownHandovers.set(key, found);
    return found;
  }

  private readHandovers(key: string): { at: number; user: string }[] {
    return inOrder(this.scenario.events).flatMap((event) => {
      if (event.type !== 'staff' || event.action.bottle !== key) return [];
      const { action } = event;
      const at = event.at.getTime();
      if (action.action === 'assign') return { at, user: action.body.user_id };
      return action.action === 'change' && action.user_id !== undefined ? { at, user: action.user_id } : [];
    });
  }

  /** Whose it is at a moment. */
  userOf(story: BottleStory | undefined, at: number): string | undefined {
    return this.usersOf(story, at).at(-1);
  }

  /** The contact of a user at a moment. */
  contactBody(user: string, at: number): Record<string, unknown> | undefined {
    const first = this.scenario.contacts.find(({ user_id }) => user_id === user)?.body;
    const last = this.contactChanges(user).findLast((change) => change.at.getTime() <= at);
    return last ? last.contact.body : first;
  }

  private contactChanges(user: string): ContactEvent[] {
    const found =
      this.knownContacts.get(user) ??
      inOrder(this.scenario.events).flatMap((event) =>
        event.type === 'contact' && event.contact.user_id === user ? event : [],
      );
    this.knownContacts.set(user, found);
    return found;
  }

  /** How the contact of a user names the person at a moment. */
  nameOf(user: string, at: number): string | undefined {
    return this.contactBody(user, at)?.['name'] as string | undefined;
  }

  /** Where and in which zone messages reach the user and the carers at a moment. */
  contact(user: string, at: number): PersonOfContact[] {
    const body = this.contactBody(user, at);
    return [
      ...(body ? [{ ...body, role: 'user' as const }] : []),
      ...carersIn(body).map(({ id, ...carer }) => ({ ...carer, carer_id: id, role: 'carer' as const })),
    ];
  }

  private read(spec: BottleSpec): BottleStory {
    const reported = reportedBy(spec.key, this.scenario, acceptingSpans(this.scenario));
    const actions = this.roundedActions(reported.actions);
    const plan = this.planOf(spec.key);
    return {
      spec,
      ...plan,
      ...prescribedFor(spec, this.scenario, this.wallsOfMoves()),
      ...reported,
      actions,
    };
  }

  /** What is of the plan of a bottle, also of what others report. */
  private planOf(key: string): Pick<BottleStory, 'ofPlan' | 'bottlesOfPlan'> {
    const others = this.scenario.bottles.map((other) => other.key).filter((other) => other !== key);
    const all = [key, ...others].map((bottle) => ({ bottle, sharing: sharingOf(bottle, this.scenario) }));
    const bottles = all.filter(
      ({ bottle, sharing }) => bottle === key || sharing.some(({ of }) => of === key),
    );
    const ofPlan = bottles.flatMap(({ bottle, sharing }) =>
      this.roundedActions(reportedBy(bottle, this.scenario, acceptingSpans(this.scenario)).actions)
        .filter(({ time }) => planAt(bottle, sharing, time) === key)
        .map((action) => ({ ...action, bottle })),
    );
    return { ofPlan, bottlesOfPlan: bottles.map(({ bottle }) => bottle) };
  }

  private roundedActions(actions: Reported['actions']): RoundedAction[] {
    return actions.map((action) => ({
      ...action,
      time: this.rounded(action.time),
      happenedAt: action.time,
    }));
  }

  /** A move is decided by more days than those of the scenario. */
  private wallsOfMoves(): Walls {
    const { start, end } = this.scenario;
    return {
      in: (zone) => new Zone(zone, start.getTime() - AHEAD - 2 * DAY, end.getTime() + AHEAD + 2 * DAY),
    };
  }

  private rounded(at: number): number {
    return at === Infinity ? at : at - (at % this.precision);
  }

  private zone(name: string, from: number, to: number): Zone {
    const zone = this.zones.get(name) ?? new Zone(name, from - 2 * DAY, to + 2 * DAY);
    this.zones.set(name, zone);
    return zone;
  }
}
