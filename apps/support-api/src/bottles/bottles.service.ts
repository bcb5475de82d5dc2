import { onRegistryChange, onScheduleChange } from '#domain';
import {
  type Bottle,
  type BottleChange,
  BottlesRepository,
  BottleStatesRepository,
  type Registration,
  RegistrationsRepository,
} from '#persistence';
import { Clock, hashToken, newToken, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import type { ChangeBottleDto, RegisterBottleDto } from './bottle-requests.dto.js';
import { FindableService } from './findable.service.js';
import type { NewTokenDto, RegisteredBottleDto } from './bottle-views.dto.js';
import type { ImportedBottlesDto } from './import/import.dto.js';
import { readBottles } from './import/read-bottles.js';
import { newBottle } from './new-bottle.js';
import { movedTo } from './schedules.service.js';

/** What staff do to the registry. */
@Injectable()
export class BottlesService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly registrations: RegistrationsRepository,
    private readonly findable: FindableService,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 400 when the schedule is wrong. */
  async register(body: RegisterBottleDto): Promise<RegisteredBottleDto> {
    const registration = newBottle(body, this.clock.now());
    await this.insert([registration]);
    return registered(registration);
  }

  /** Registers the bottles of a CSV file: all of them, or none. @throws Problem 400 `invalid_csv` */
  async registerMany(csv: string): Promise<ImportedBottlesDto> {
    const now = this.clock.now();
    const lines = readBottles(csv, (body) => newBottle(body, now));
    await this.insert(lines.map(({ bottle }) => bottle));
    return { created: lines.map(({ line, bottle }) => ({ line, ...registered(bottle) })) };
  }

  private async insert(registrations: Registration[]): Promise<void> {
    await this.findable.add(registrations.map(({ bottle }) => bottle));
    await this.registrations.insertAll(registrations);
  }

  /** @throws Problem 400 when nothing is to change, 404, or 409 when someone else changed its schedule just now. */
  async change(id: Types.ObjectId, body: ChangeBottleDto): Promise<void> {
    const change = Object.fromEntries(
      Object.entries(body).filter(([, value]) => value !== undefined),
    ) as BottleChange;
    if (Object.keys(change).length === 0) {
      throw new Problem(400, 'nothing_to_change', 'Give at least one of user_id, medication and time_zone.');
    }
    const bottle = await this.find(id);
    const { user_id, medication, time_zone } = change;
    if (user_id !== undefined) await this.findable.prepare(bottle, user_id);
    if (medication !== undefined) await this.findable.addMedication(medication);
    if (time_zone === undefined) await this.bottles.update(id, change);
    else await this.move(bottle, change, time_zone);
    if (user_id !== undefined || medication !== undefined) {
      const facts = {
        ...(user_id !== undefined && { user_id }),
        ...(medication !== undefined && { medication }),
      };
      await this.states.change(id, onRegistryChange(facts));
    }
    if (user_id !== undefined) await this.findable.settle(id);
  }

  private async move(bottle: Bottle, change: BottleChange, zone: string): Promise<void> {
    const now = this.clock.now();
    const move = {
      seen: bottle.schedule_versions,
      versions: movedTo(zone, bottle, now),
      from: { time_zone: bottle.time_zone, until: now },
    };
    if (!(await this.bottles.update(bottle._id, change, move))) {
      throw new Problem(
        409,
        'changed_meanwhile',
        'Its schedule or zone was changed at the same moment; look and try again.',
      );
    }
    if (bottle.schedule_versions.length > 0) await this.states.change(bottle._id, onScheduleChange(now));
  }

  /** Replaces the device's token; the old one stops working within a minute. @throws Problem 404, 409 */
  async rotateToken(id: Types.ObjectId): Promise<NewTokenDto> {
    const token = newToken('pwb');
    if (await this.bottles.rotateToken(id, hashToken(token))) return { token };
    await this.find(id);
    throw new Problem(409, 'changed_meanwhile', 'Its token was replaced by someone else at the same moment.');
  }

  private async find(id: Types.ObjectId): Promise<Bottle> {
    const bottle = await this.bottles.findById(id);
    if (!bottle) throw Problem.notFound('bottle');
    return bottle;
  }
}

function registered({ bottle, token }: ReturnType<typeof newBottle>): RegisteredBottleDto {
  return { bottle_id: bottle._id.toHexString(), token };
}
