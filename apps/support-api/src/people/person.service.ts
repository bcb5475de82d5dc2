import { DAY_MS, touches, versionAt, withReports } from '#domain';
import {
  AttestationsRepository,
  BottleHeartbeatsRepository,
  BottlesRepository,
  type BottleState,
  BottleStatesRepository,
  ContactsRepository,
  DoseOutcomesRepository,
  type Note,
  NotesRepository,
  type StoredScheduleVersion,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { AlertsService } from '../alerts/alerts.service.js';
import type { Staff } from '../auth/staff.js';
import { summaryView } from '../bottles/lookup.service.js';
import { MonitoredSinceService } from '../bottles/monitored-since.service.js';
import { type BottleToday, TodayService, todayView } from '../bottles/today.service.js';
import { Reachability } from '../contacts/reachability.service.js';
import type { HistoryQuery } from '../history/history.dto.js';
import { type ByTime, Cursors, type Page, readPage } from '../http/paging.js';
import { readRange } from '../http/time-range.js';
import { viewOf, viewsOf } from '../http/view.js';
import { FormerBottleDto, NoteDto, PersonDto, PersonsBottleDto, PersonsDoseDto } from './person.dto.js';
import { type PersonsBottle, PersonsBottles, spansOf } from './persons-bottles.js';
import { nothingOfUser } from '../http/ids.js';

const MOST_NOTES = 100;
const FOUR_WEEKS = 28 * DAY_MS;
const DOSE_CURSORS = new Cursors<ByTime>('person_doses', { timed: true });

/** Everything about a person: their bottles, doses, alerts, contact and notes. */
@Injectable()
export class PersonService {
  constructor(
    private readonly bottles: PersonsBottles,
    private readonly registry: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly today: TodayService,
    private readonly monitored: MonitoredSinceService,
    private readonly alerts: AlertsService,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly attestations: AttestationsRepository,
    private readonly contacts: ContactsRepository,
    private readonly reachability: Reachability,
    private readonly notes: NotesRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 404 if nothing is stored about them */
  async get(userId: string): Promise<PersonDto> {
    const [{ bottles, hasMore }, contact, notes] = await Promise.all([
      this.bottles.of(userId),
      this.contacts.findByUser(userId),
      this.notes.findOfUser(userId, MOST_NOTES),
    ]);
    if (bottles.length + notes.length === 0 && !contact) throw nothingOfUser(userId, 'person');
    const [theirs, openAlerts] = await Promise.all([
      this.showBottles(bottles.filter(({ isTheirs }) => isTheirs)),
      this.alerts.listActive(
        bottles.map(({ bottle }) => bottle._id),
        { user_id: userId },
      ),
    ]);
    return {
      user_id: userId,
      contact: contact && (await this.reachability.show(contact)),
      bottles: theirs,
      has_more_bottles: hasMore,
      former_bottles: bottles.filter(({ isTheirs }) => !isTheirs).map(formerView),
      open_alerts: openAlerts,
      notes: viewsOf(NoteDto)(notes),
    };
  }

  /** @throws Problem 404, as {@link get} */
  async requireKnown(userId: string): Promise<PersonsBottle[]> {
    const { bottles } = await this.bottles.of(userId);
    if (bottles.length > 0 || (await this.contacts.findByUser(userId))) return bottles;
    if ((await this.notes.findOfUser(userId, 1)).length === 0) throw nothingOfUser(userId, 'person');
    return bottles;
  }

  /** The doses of all bottles with their outcomes, newest first. */
  async doses(userId: string, query: HistoryQuery): Promise<Page<PersonsDoseDto>> {
    const bottles = await this.requireKnown(userId);
    const { from, to } = readRange(query, this.clock.now(), FOUR_WEEKS);
    const nameOf = medicationsOf(bottles);
    return readPage(query, {
      cursors: DOSE_CURSORS,
      find: (before, limit) => this.outcomes.findPageOfBottles(spansOf(bottles, from, to), before, limit),
      positionOf: ({ bottle_id, scheduled_at }) => ({ id: bottle_id, time: scheduled_at }),
      show: async (doses) => {
        const entries = await this.attestations.findOfDoses(doses);
        return doses.map((dose) => {
          const ofBottle = entries.get(dose.bottle_id.toHexString()) ?? [];
          const [reported] = withReports([dose], ofBottle, ({ outcome }) => outcome);
          return viewOf(PersonsDoseDto, { ...reported!, medication: nameOf(dose.bottle_id) });
        });
      },
    });
  }

  /** @throws Problem 404 */
  async addNote(userId: string, text: string, caller: Staff): Promise<NoteDto> {
    await this.requireKnown(userId);
    return this.note({ user_id: userId, text }, caller);
  }

  /** The notes about a bottle and about its owner, newest first. @throws Problem 404 */
  async bottleNotes(id: Types.ObjectId): Promise<{ items: NoteDto[] }> {
    const bottle = await this.registry.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    const notes = await this.notes.findOfUser(bottle.user_id, MOST_NOTES);
    const shown = notes.filter(({ bottle_id }) => !bottle_id || bottle_id.equals(id));
    return { items: viewsOf(NoteDto)(shown) };
  }

  /** @throws Problem 404 */
  async addBottleNote(id: Types.ObjectId, text: string, caller: Staff): Promise<NoteDto> {
    const bottle = await this.registry.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    return this.note({ user_id: bottle.user_id, bottle_id: id, text }, caller);
  }

  private async note(about: Omit<Note, '_id' | 'by' | 'at'>, { name }: Staff): Promise<NoteDto> {
    const note: Note = { ...about, _id: new Types.ObjectId(), by: name, at: this.clock.now() };
    await this.notes.add(note);
    return viewOf(NoteDto, note);
  }

  /** @throws Problem 404 */
  async deleteNote(userId: string, id: Types.ObjectId): Promise<void> {
    if (!(await this.notes.delete(userId, id))) throw Problem.notFound('note');
  }

  private async showBottles(owned: PersonsBottle[]): Promise<PersonsBottleDto[]> {
    const now = this.clock.now();
    const states = await this.states.findByIds(owned.map(({ bottle }) => bottle._id));
    const stateOf = new Map(states.map((state) => [state._id.toHexString(), state]));
    // one without a state is being registered or erased
    const shown = owned.flatMap((one) => {
      const state = stateOf.get(one.bottle._id.toHexString());
      return state ? [{ ...one, state }] : [];
    });
    const [days, newest, monitored] = await Promise.all([
      this.today.judgeAll(shown, now),
      // only a bottle that was never opened has its pills from a heartbeat
      this.heartbeats.findNewestOf(
        shown.flatMap(({ state: { _id, last_action } }) => (last_action ? [] : _id)),
      ),
      this.monitored.find(shown.map(({ bottle }) => bottle)),
    ]);
    const entries = await this.attestations.findOfDoses(
      days.flatMap(({ doses }, index) =>
        doses.map(({ slot: { scheduled_at } }) => ({ bottle_id: shown[index]!.bottle._id, scheduled_at })),
      ),
    );
    return shown.map(({ bottle, state, periods }, index) => {
      const today = theirPart(days[index]!, periods);
      return viewOf(PersonsBottleDto, {
        ...summaryView(theirAction(state, periods), newest.get(bottle._id.toHexString()) ?? null, bottle),
        time_zone: bottle.time_zone,
        monitored_since: monitored.get(bottle._id.toHexString()),
        today: todayView(bottle, today, entries.get(bottle._id.toHexString()) ?? [], now),
        next_dose: today.next ? { ...today.next } : null,
        plan: planFrom(bottle.schedule_versions, now),
        owned: periods,
      });
    });
  }
}

/** The step in effect and the later ones. */
function planFrom(versions: readonly StoredScheduleVersion[], now: Date): StoredScheduleVersion[] {
  const current = versionAt(versions, now);
  return [...(current ? [current] : []), ...versions.filter(({ effective_from }) => effective_from > now)];
}

/** The medication of each bottle, while it was the person's. */
export function medicationsOf(bottles: readonly PersonsBottle[]): (id: Types.ObjectId) => string | null {
  const names = new Map(bottles.map(({ bottle, medication }) => [bottle._id.toHexString(), medication]));
  return (id) => names.get(id.toHexString()) ?? null;
}

type Periods = PersonsBottle['periods'];

/** Without the doses that were due before the bottle was theirs. */
const theirPart = (today: BottleToday, periods: Periods): BottleToday => ({
  ...today,
  doses: today.doses.filter(({ slot: { scheduled_at } }) =>
    touches(periods, { from: scheduled_at, until: new Date(scheduled_at.getTime() + 1) }),
  ),
});

/** Without an action from before the bottle was theirs. */
function theirAction({ last_action, ...state }: BottleState, periods: Periods): BottleState {
  const since = periods.at(-1)!.from;
  return last_action && !(since && last_action.time < since) ? { ...state, last_action } : state;
}

function formerView({ bottle, medication, periods }: PersonsBottle): FormerBottleDto {
  return viewOf(FormerBottleDto, { bottle_id: bottle._id, medication, owned: periods });
}
