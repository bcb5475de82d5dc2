import {
  CANARY_PILLS,
  CANARY_SCHEDULE,
  canaryUser,
  type DoseTimes,
  isCanary,
  lastingPlan,
  type MovedDose,
  movedDoses,
  movedTo,
  onRegistration,
  onHandedOver,
  onRegistryChange,
  onScheduleChange,
  type ScheduleWarning,
  planWarnings,
  toJudge,
} from '#domain';
import {
  type Bottle,
  type BottleChange,
  BottlesRepository,
  BottleStatesRepository,
  type Expected,
  MOST_SCHEDULE_VERSIONS,
  newCanaryId,
  type PlanAdmission,
  type Registration,
  RegistrationsRepository,
  type StoredScheduleVersion,
} from '#persistence';
import { Clock, definedOnly, hashToken, newToken, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { ChangeBottleDto, RegisterBottleDto, NewTokenDto, RegisteredBottleDto } from './bottle.dto.js';
import type { MoveDto } from './plan.dto.js';
import type { CheckedImportDto, ImportedBottlesDto } from './csv-import.dto.js';
import { changedMeanwhile, requireVersion } from '../http/versions.js';
import { assertInUse } from './in-use.js';
import { readBottles } from './csv-import.js';
import { PeriodsService } from './periods.service.js';
import { readPlan } from './read-plan.js';
import { tooManySchedules } from './schedules.service.js';
import { SearchIndex } from './search-index.js';
import { SharedPlansService } from './shared-plans.service.js';

/** A bottle that is to be registered, with the token for its device. */
type NewBottle = Registration & { token: string };

/** Who is taken into which plan, by the id of the bottle that has it. */
type Admissions = Map<string, PlanAdmission>;

/** Registering and changing bottles. */
@Injectable()
export class BottlesService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly registrations: RegistrationsRepository,
    private readonly searchIndex: SearchIndex,
    private readonly periods: PeriodsService,
    private readonly plans: SharedPlansService,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 400 for an invalid schedule, or a plan that it cannot be for; 409 `changed_meanwhile` */
  async register(body: RegisterBottleDto): Promise<RegisteredBottleDto> {
    const now = this.clock.now();
    const admissions: Admissions = new Map();
    const registration = await this.prepare(body, now, admissions);
    await this.insert([registration], now, admissions);
    return registered(registration);
  }

  /** Registers a watchdog's bottle, which no list and no search shows. */
  async registerCanary(): Promise<RegisteredBottleDto> {
    const now = this.clock.now();
    const _id = newCanaryId();
    const fields = {
      user_id: canaryUser(_id),
      medication: 'canary',
      time_zone: 'UTC',
      number_of_pills: CANARY_PILLS,
    };
    const schedule = { effective_from: now, time_zone: 'UTC', schedule: CANARY_SCHEDULE };
    const registration = build(_id, fields, [schedule], now);
    await this.registrations.insertAll([registration]);
    return registered(registration);
  }

  /** Registers the bottles of a CSV file: all of them, or none. @throws Problem 400 `invalid_csv`; 409 `changed_meanwhile` */
  async registerMany(csv: string): Promise<ImportedBottlesDto> {
    const now = this.clock.now();
    const admissions: Admissions = new Map();
    const lines = await readBottles(csv, (body) => this.prepare(body, now, admissions));
    await this.insert(
      lines.map(({ bottle }) => bottle),
      now,
      admissions,
    );
    return {
      created: lines.map(({ line, bottle: made }) => ({
        line,
        ...registered(made),
        plan_of: lastingPlan(made.bottle.shared_plans)?.of.toHexString() ?? null,
      })),
    };
  }

  /** Checks a file as {@link registerMany} does, and stores nothing. @throws Problem 400 `invalid_csv` */
  async checkMany(csv: string): Promise<CheckedImportDto> {
    const now = this.clock.now();
    const admissions: Admissions = new Map();
    const lines = await readBottles(csv, (body) => this.prepare(body, now, admissions));
    const warnings = lines.flatMap(({ line, bottle }) =>
      warningsOf(bottle).map((warning) => ({ line, ...warning })),
    );
    return { bottles: lines.length, warnings };
  }

  /** A new bottle that is not stored yet. @throws Problem 400 for an invalid schedule, or a plan that it cannot be for */
  private async prepare(
    { plan_of: planOf, ...own }: RegisterBottleDto,
    now: Date,
    admissions: Admissions,
  ): Promise<NewBottle> {
    if (planOf !== undefined && (own.schedule ?? own.steps) !== undefined)
      throw Problem.field('plan_of', 'has_schedule', 'plan_of is for a bottle without a schedule of its own');
    const made = newBottle(own, now);
    if (planOf !== undefined) await this.plans.prepare(made.bottle, planOf, admissions);
    return made;
  }

  private async insert(registrations: Registration[], now: Date, admissions: Admissions): Promise<void> {
    const periods = await this.periods.currentOf(
      registrations.map(({ bottle }) => bottle.user_id),
      now,
    );
    for (const { bottle } of registrations) bottle.pauses = periods.get(bottle.user_id) ?? [];
    await this.searchIndex.add(registrations.map(({ bottle }) => bottle));
    await this.plans.register(registrations, [...admissions.values()]);
    await this.searchIndex.keepMedications(registrations.map(({ bottle }) => bottle.medication));
  }

  /**
   * @throws Problem 400 if nothing is to change, or for a plan that it cannot be for; 404; 409 `canary`, `leads_plan`,
   *   `shares_plan`, or if another request changed its schedule meanwhile; 412
   */
  async change(
    id: Types.ObjectId,
    { plan_of: planOf, ...body }: ChangeBottleDto,
    expected: Expected,
  ): Promise<MovedDose[]> {
    const { dose_times: _, ...facts } = body;
    const hasFacts = Object.values(facts).some((fact) => fact !== undefined);
    if (!hasFacts && planOf === undefined) {
      throw new Problem(400, 'nothing_to_change', 'Give at least one field to change.');
    }
    const bottle = await this.find(id);
    requireVersion(bottle, expected);
    if (planOf !== undefined && isCanary(id)) throw new Problem(409, 'canary', 'A canary shares no plan.');
    // before anything is changed: what is refused changes nothing
    if (planOf) await this.plans.leaderFor({ ...bottle, ...definedOnly(facts) }, planOf);
    if (planOf === null) await this.plans.leave(bottle);
    // that it was as expected has been seen
    const moved = hasFacts ? await this.changeFacts(id, body, planOf === null ? undefined : expected) : [];
    if (planOf) await this.plans.join(id, planOf);
    return moved;
  }

  private async changeFacts(
    id: Types.ObjectId,
    { dose_times, ...body }: Omit<ChangeBottleDto, 'plan_of'>,
    expected: Expected,
  ): Promise<MovedDose[]> {
    const change: BottleChange = definedOnly({ ...body });
    const bottle = await this.find(id);
    const { user_id, medication } = change;
    if (isCanary(id) && (user_id ?? medication) !== undefined)
      throw new Problem(409, 'canary', 'A canary gets no other user and no other medication.');
    if (user_id !== undefined) assertInUse(bottle);
    if (isOther(user_id, bottle.user_id) || isOther(medication, bottle.medication))
      await this.plans.assertAlone(bottle);
    if (user_id !== undefined) await this.searchIndex.addUser(bottle, user_id);
    if (medication !== undefined) await this.searchIndex.addMedication(medication);
    const moved = await this.update(bottle, change, dose_times, expected);
    if (user_id !== undefined || medication !== undefined)
      await this.states.change(id, onRegistryChange(definedOnly({ user_id, medication })));
    if (user_id !== undefined) await this.searchIndex.removePreviousUsers(id);
    if (user_id !== undefined || medication !== undefined || change.label !== undefined)
      await this.searchIndex.refreshPeople([bottle.user_id, ...(user_id === undefined ? [] : [user_id])]);
    if (medication !== undefined) {
      await this.searchIndex.keepMedications([medication]);
      if (medication !== bottle.medication) await this.searchIndex.removeMedication(bottle.medication);
    }
    return moved;
  }

  private async update(
    bottle: Bottle,
    change: BottleChange,
    doseTimes: DoseTimes | undefined,
    expected: Expected,
  ): Promise<MovedDose[]> {
    const now = this.clock.now();
    const { time_zone, user_id = bottle.user_id } = change;
    const versions =
      time_zone === undefined ? [] : movedTo(time_zone, bottle.schedule_versions, now, doseTimes);
    if (versions.length > MOST_SCHEDULE_VERSIONS) throw tooManySchedules();
    const move = time_zone !== undefined && {
      seen: bottle.schedule_versions,
      versions,
      from: { time_zone: bottle.time_zone, until: now },
    };
    const handover = user_id !== bottle.user_id && { user_id: bottle.user_id, until: now };
    const isAlone = handover || isOther(change.medication, bottle.medication);
    const changed = await this.bottles.update(bottle._id, change, {
      ...(move && { move }),
      ...(handover && { handover }),
      ...(isAlone && { sharing: bottle }),
      expected,
    });
    if (!changed && expected !== undefined) throw changedMeanwhile();
    if (!changed && (move || isAlone)) {
      throw new Problem(
        409,
        'changed_meanwhile',
        'Another request changed the user, schedule or time zone. Reload, then try again.',
      );
    }
    if (handover) {
      await this.periods.onHandover(bottle._id, user_id, now);
      await this.states.change(bottle._id, onHandedOver(user_id, now));
    } else if (move && bottle.schedule_versions.length > 0)
      await this.states.change(bottle._id, onScheduleChange(now));
    return move ? movedDoses(bottle.schedule_versions, versions, now) : [];
  }

  /** Returns the doses before and after a move as it would be. Nothing is stored. @throws Problem 404 */
  async previewMove(id: Types.ObjectId, { time_zone, dose_times }: MoveDto): Promise<MovedDose[]> {
    const { schedule_versions: versions } = await this.find(id);
    const now = this.clock.now();
    return movedDoses(versions, movedTo(time_zone, versions, now, dose_times), now);
  }

  /** Replaces the device's token; the old one stops working within a minute. @throws Problem 404, 409 */
  async rotateToken(id: Types.ObjectId): Promise<NewTokenDto> {
    const token = newToken('pwb');
    const now = this.clock.now();
    if (await this.bottles.rotateToken(id, hashToken(token), now)) {
      // what two bottles under the old token have raised ends
      await this.states.change(id, toJudge(now));
      return { token };
    }
    await this.find(id);
    throw new Problem(409, 'changed_meanwhile', 'Another request replaced the token.');
  }

  private async find(id: Types.ObjectId): Promise<Bottle> {
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    return bottle;
  }
}

const isOther = (given: string | undefined, present: string): boolean =>
  given !== undefined && given !== present;

function registered(made: NewBottle): RegisteredBottleDto {
  return { bottle_id: made.bottle._id.toHexString(), token: made.token, warnings: warningsOf(made) };
}

const warningsOf = ({ bottle: { schedule_versions: plan } }: Registration): ScheduleWarning[] =>
  planWarnings(plan, plan);

/**
 * Builds the documents of a new bottle and the token for its device. Nothing is stored yet.
 *
 * @throws Problem 400 for an invalid schedule
 */
function newBottle(
  { number_of_pills, schedule, steps, ...fields }: Omit<RegisterBottleDto, 'plan_of'>,
  now: Date,
): NewBottle {
  const versions = readPlan({ schedule, steps }, fields.time_zone, now);
  return build(new Types.ObjectId(), { number_of_pills, ...fields }, versions, now);
}

function build(
  _id: Types.ObjectId,
  { number_of_pills, ...fields }: Omit<RegisterBottleDto, 'schedule' | 'steps' | 'plan_of'>,
  versions: StoredScheduleVersion[],
  now: Date,
): NewBottle {
  const token = newToken('pwb');
  return {
    token,
    state: onRegistration(
      { _id, user_id: fields.user_id, medication: fields.medication },
      versions.length > 0 ? now : undefined,
    ),
    bottle: {
      ...definedOnly({ ...fields, initial_pills: number_of_pills }),
      _id,
      registered_at: now,
      token_hash: hashToken(token),
      revoked_token_hashes: [],
      schedule_versions: versions,
      pauses: [],
    },
  };
}
