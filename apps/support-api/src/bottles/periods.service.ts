import {
  changedPeriod,
  endsAt,
  groupBy,
  onPeriodChange,
  onPlanPeriodChange,
  reasonOf,
  type UnmonitoredPeriod,
} from '#domain';
import {
  type Bottle,
  BottlesRepository,
  BottleStatesRepository,
  type Expected,
  MOST_PERIODS,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { requireVersion } from '../http/versions.js';
import { viewOf } from '../http/view.js';
import { type AddPeriodDto, type ChangePeriodDto, UnmonitoredPeriodDto } from './periods.dto.js';

/** Of the callers who save at once, one wins each time. */
const MOST_TRIES = 100;

type Periods = UnmonitoredPeriod[];

/** The periods as they are to be, and from when on doses are judged again. */
interface PeriodsChange<T> {
  periods: Periods;
  from: Date;
  made: T;
}

interface Changed<T> {
  bottle: Bottle;
  made: T;
}

/**
 * The periods without monitoring of bottles, and of persons. One of a person is stored in each of their bottles, under one
 * id, and in those that they get while it lasts.
 */
@Injectable()
export class PeriodsService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 400, 404, 409 `too_many_periods`, 412 */
  async add(
    id: Types.ObjectId,
    given: AddPeriodDto,
    by: string,
    expected: Expected,
  ): Promise<Changed<UnmonitoredPeriod>> {
    const made = newPeriod(given, by, this.clock.now());
    return this.changeBottle(id, expected, ({ pauses }) => withPeriod(pauses, made));
  }

  /**
   * Enters that pills that were removed are in a pillbox, by the word of a recipient.
   *
   * @param periodId the same id is entered once
   * @returns false if it was entered before, or the bottle is not there any more
   */
  async addPillbox(
    id: Types.ObjectId,
    periodId: string,
    { from, to, by }: { from: Date; to: Date; by: string },
  ): Promise<boolean> {
    const now = this.clock.now();
    const made = { id: periodId, reason: 'pillbox', from, to, recorded_by: by, recorded_at: now } as const;
    try {
      await this.changeBottle(id, undefined, ({ pauses }) => {
        if (pauses.some((each) => each.id === periodId)) throw Problem.notFound('period');
        return withPeriod(pauses, made);
      });
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  /** Removes what {@link addPillbox} entered. @returns false if it is not there any more */
  async removePillbox(id: Types.ObjectId, periodId: string): Promise<boolean> {
    try {
      await this.remove(id, periodId, undefined);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  /** The periods of a bottle, the one that begins last first. @throws Problem 404 */
  async ofBottle(id: Types.ObjectId): Promise<UnmonitoredPeriodDto[]> {
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    return periodViews(bottle.pauses);
  }

  /** @throws Problem 400, 404, 412 */
  async change(
    id: Types.ObjectId,
    periodId: string,
    change: ChangePeriodDto,
    by: string,
    expected: Expected,
  ): Promise<Changed<UnmonitoredPeriod>> {
    const now = this.clock.now();
    return this.changeBottle(id, expected, ({ pauses }) => withChanged(pauses, periodId, change, by, now));
  }

  /** @throws Problem 404, 412 */
  async remove(id: Types.ObjectId, periodId: string, expected: Expected): Promise<void> {
    await this.changeBottle(id, expected, ({ pauses }) => withoutPeriod(pauses, periodId));
  }

  /** Ends a current pause, or removes a future one, by its beginning. @throws Problem 404, 412 */
  async endPause(id: Types.ObjectId, from: string, by: string, expected: Expected): Promise<void> {
    const now = this.clock.now();
    await this.changeBottle(id, expected, ({ pauses }) => {
      const pause = pauses.find(
        (each) => isPause(each) && +each.from === Date.parse(from) && endsAt(each) > now.getTime(),
      );
      if (!pause) throw Problem.notFound('pause');
      return pause.from >= now
        ? withoutPeriod(pauses, idOf(pause))
        : withChanged(pauses, idOf(pause), { to: now.toISOString() }, by, now);
    });
  }

  /** Adds a period to all bottles of a person. @throws Problem 400; 404 if they have none; 409 */
  async addForPerson(userId: string, given: AddPeriodDto, by: string): Promise<UnmonitoredPeriodDto> {
    const made: UnmonitoredPeriod = { ...newPeriod(given, by, this.clock.now()), of_person: true };
    await this.changePerson(userId, ({ pauses }) => withPeriod(pauses, made));
    return periodView(made);
  }

  /** The periods of a person, the one that begins last first. @throws Problem 404 if they have no bottle */
  async ofPerson(userId: string): Promise<UnmonitoredPeriodDto[]> {
    const found = new Map(
      (await this.bottlesOf(userId)).flatMap(({ pauses }) =>
        pauses.filter(({ of_person }) => of_person).map((period) => [idOf(period), period] as const),
      ),
    );
    return periodViews([...found.values()]);
  }

  /** @throws Problem 400, 404 */
  async changeForPerson(
    userId: string,
    periodId: string,
    change: ChangePeriodDto,
    by: string,
  ): Promise<UnmonitoredPeriodDto> {
    const now = this.clock.now();
    const changed = await this.changePerson(userId, ({ pauses }) =>
      hasPersons(pauses, periodId) ? withChanged(pauses, periodId, change, by, now) : undefined,
    );
    if (!changed[0]) throw Problem.notFound('period');
    return periodView(changed[0].made);
  }

  /** @throws Problem 404 */
  async removeForPerson(userId: string, periodId: string): Promise<void> {
    const changed = await this.changePerson(userId, ({ pauses }) =>
      hasPersons(pauses, periodId) ? withoutPeriod(pauses, periodId) : undefined,
    );
    if (changed.length === 0) throw Problem.notFound('period');
  }

  /** The periods of these persons that are not over, for bottles that they get; those who have none are left out. */
  async currentOf(userIds: readonly string[], now: Date): Promise<Map<string, Periods>> {
    const states = await this.states.findOfUsers([...new Set(userIds)]);
    const bottles = await this.bottles.findWithPeriods(
      states.map(({ _id }) => _id),
      now,
    );
    const byOwner = groupBy(bottles, ({ user_id }) => user_id);
    return new Map([...byOwner].map(([userId, own]) => [userId, currentIn(own, now)]));
  }

  /** A bottle has another owner: the periods of the person before end, and those of the new one are its own from now on. */
  async onHandover(id: Types.ObjectId, userId: string, now: Date): Promise<void> {
    const theirs = (await this.currentOf([userId], now)).get(userId) ?? [];
    await this.changeBottle(id, undefined, ({ pauses }) => {
      const known = new Set(theirs.map(idOf));
      const before = pauses.filter((each) => !known.has(idOf(each))).flatMap((each) => endedAt(each, now));
      const begun = theirs.map((each) => ({ ...each, from: each.from > now ? each.from : now }));
      return { periods: [...before, ...begun], from: now, made: undefined };
    });
  }

  private async bottlesOf(userId: string): Promise<Bottle[]> {
    const bottles = await this.findBottles(userId);
    if (bottles.length === 0) throw Problem.notFound('person');
    return bottles;
  }

  private async findBottles(userId: string): Promise<Bottle[]> {
    const found = await this.bottles.findByIds(await this.states.findIdsOfUser(userId));
    return found.filter((bottle) => bottle.user_id === userId);
  }

  private async changePerson<T>(
    userId: string,
    change: (bottle: Bottle) => PeriodsChange<T> | undefined,
  ): Promise<Changed<T>[]> {
    const bottles = await this.bottlesOf(userId);
    const concerned = bottles.filter((bottle) => change(bottle) !== undefined);
    const changed: Changed<T>[] = [];
    for (const { _id } of concerned)
      changed.push(
        await this.changeBottle(_id, undefined, (bottle) => {
          const changes = change(bottle);
          if (!changes) throw Problem.notFound('period');
          return changes;
        }),
      );
    return changed;
  }

  /** Changes the periods, and again if somebody else has changed them meanwhile. @throws Problem 404, 409, 412 */
  private async changeBottle<T>(
    id: Types.ObjectId,
    expected: Expected,
    change: (bottle: Bottle) => PeriodsChange<T>,
  ): Promise<Changed<T>> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const seen = await this.bottles.findById(id);
      if (!seen) throw Problem.notFound('bottle');
      requireVersion(seen, expected);
      const { periods, from, made } = change(seen);
      if (periods.length > MOST_PERIODS) throw tooManyPeriods();
      const bottle = await this.bottles.replacePeriods(id, { seen: seen.pauses, periods }, expected);
      if (!bottle) continue;
      const now = this.clock.now();
      await this.states.change(id, onPeriodChange(from, now));
      for (const plan of plansSince(bottle, from))
        await this.states.change(plan, onPlanPeriodChange(from, now));
      return { bottle, made };
    }
    throw new Problem(409, 'changed_meanwhile', 'Another request changed the periods. Try again.');
  }
}

/** The bottles for whose plans a bottle was at a time or later. */
function plansSince({ shared_plans: shared = [] }: Bottle, from: Date): Types.ObjectId[] {
  const plans = shared.filter(({ until }) => !until || from < until).map(({ of }) => of);
  return [...new Map(plans.map((of) => [of.toHexString(), of])).values()];
}

const tooManyPeriods = (): Problem =>
  new Problem(409, 'too_many_periods', `A bottle has ${MOST_PERIODS} periods at most, with the past ones.`);

/** Those from before they had ids are known by their beginning. */
const idOf = ({ id, from }: UnmonitoredPeriod): string => id ?? from.getTime().toString(16).padStart(24, '0');

const isPause = (period: UnmonitoredPeriod): boolean => reasonOf(period) === 'pause';

const hasPersons = (periods: Periods, id: string): boolean =>
  periods.some((each) => each.of_person && idOf(each) === id);

/** The periods of the person whose bottles these are that are not over. */
function currentIn(bottles: readonly Pick<Bottle, 'pauses'>[], now: Date): Periods {
  const current = bottles
    .flatMap(({ pauses }) => pauses)
    .filter((each) => each.of_person && endsAt(each) > now.getTime());
  return [...new Map(current.map((period) => [idOf(period), period])).values()];
}

/** Current and future pauses, for those who know no other periods. */
export function pausesOf(periods: Periods, now: Date): { from: Date; to: Date }[] {
  return periods.flatMap((each) =>
    isPause(each) && each.to && each.to > now ? [{ from: each.from, to: each.to }] : [],
  );
}

export const periodView = (period: UnmonitoredPeriod): UnmonitoredPeriodDto =>
  viewOf(UnmonitoredPeriodDto, {
    ...period,
    id: idOf(period),
    reason: reasonOf(period),
    of_person: period.of_person === true,
  });

/** The one that begins last first. */
export const periodViews = (periods: Periods): UnmonitoredPeriodDto[] =>
  periods.toSorted((one, other) => +other.from - +one.from).map(periodView);

/** @throws Problem 400 */
function newPeriod({ reason, from, to, note }: AddPeriodDto, by: string, now: Date): UnmonitoredPeriod {
  return checked({
    id: new Types.ObjectId().toHexString(),
    reason,
    from: from === undefined ? now : new Date(from),
    ...(to !== undefined && { to: new Date(to) }),
    ...(note !== undefined && { note }),
    recorded_by: by,
    recorded_at: now,
  });
}

/** @throws Problem 400 */
function checked(period: UnmonitoredPeriod): UnmonitoredPeriod {
  if (isPause(period) && !period.to)
    throw Problem.field('to', 'missing_field', 'to is required with the reason "pause"');
  if (endsAt(period) <= period.from.getTime())
    throw Problem.field('to', 'invalid_period', 'to must be after from');
  return period;
}

const withPeriod = (periods: Periods, made: UnmonitoredPeriod): PeriodsChange<UnmonitoredPeriod> => ({
  periods: [...periods, made],
  from: made.from,
  made,
});

function findPeriod(periods: Periods, id: string): UnmonitoredPeriod {
  const found = periods.find((each) => idOf(each) === id);
  if (!found) throw Problem.notFound('period');
  return found;
}

/** @throws Problem 400, 404 */
function withChanged(
  periods: Periods,
  id: string,
  { reason, from, to, note }: ChangePeriodDto,
  by: string,
  now: Date,
): PeriodsChange<UnmonitoredPeriod> {
  const before = findPeriod(periods, id);
  const { to: end, note: text, ...kept } = before;
  const until = to === undefined ? end : to === null ? undefined : new Date(to);
  const remark = note === undefined ? text : (note ?? undefined);
  const changed = {
    ...kept,
    ...(reason !== undefined && { reason }),
    ...(from !== undefined && { from: new Date(from) }),
    ...(until && { to: until }),
    ...(remark !== undefined && { note: remark }),
    recorded_by: by,
  };
  const made = checked(changedPeriod(before, changed, now));
  return {
    periods: periods.map((each) => (each === before ? made : each)),
    from: made.from < before.from ? made.from : before.from,
    made,
  };
}

/** @throws Problem 404 */
function withoutPeriod(periods: Periods, id: string): PeriodsChange<undefined> {
  const removed = findPeriod(periods, id);
  return { periods: periods.filter((each) => each !== removed), from: removed.from, made: undefined };
}

/** A period of the person whose the bottle was until now; one of the bottle alone stays. */
function endedAt(period: UnmonitoredPeriod, now: Date): Periods {
  if (!period.of_person || endsAt(period) <= now.getTime()) return [period];
  return period.from >= now ? [] : [{ ...period, to: now }];
}
