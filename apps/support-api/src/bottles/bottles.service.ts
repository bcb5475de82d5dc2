import { type Bottle, type BottleChange, BottlesRepository, BottleStatesRepository } from '#persistence';
import { Clock, hashToken, newToken, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import type { ChangeBottleDto, RegisterBottleDto } from './bottle-requests.dto.js';
import { FindableService } from './findable.service.js';
import type { NewTokenDto, RegisteredBottleDto } from './bottle-views.dto.js';
import { movedTo, readVersion } from './schedules.service.js';

/** What staff do to the registry. */
@Injectable()
export class BottlesService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly findable: FindableService,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 400 when the schedule is wrong. */
  async register(body: RegisterBottleDto): Promise<RegisteredBottleDto> {
    const now = this.clock.now();
    const { user_id, medication, time_zone, number_of_pills, schedule } = body;
    const versions = schedule === undefined ? [] : [readVersion(schedule, time_zone, now)];
    const _id = new Types.ObjectId();
    const token = newToken('pwb');
    await this.findable.add([{ _id, user_id, medication }]);
    // The state first: a bottle in the registry has one, always, for reports only ever update it. A crash in
    // between leaves a state that no token speaks for, and a caller without an answer, who registers again.
    await this.states.insert({
      _id,
      user_id,
      medication,
      quiet: 'never_heard',
      ...(versions.length > 0 ? { dose_due_at: now } : {}),
    });
    await this.bottles.insert({
      _id,
      user_id,
      medication,
      time_zone,
      registered_at: now,
      ...(number_of_pills === undefined ? {} : { initial_pills: number_of_pills }),
      token_hash: hashToken(token),
      revoked_token_hashes: [],
      schedule_versions: versions,
      pauses: [],
    });
    return { bottle_id: _id.toHexString(), token };
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
      await this.states.updateFacts(id, {
        ...(user_id !== undefined && { user_id }),
        ...(medication !== undefined && { medication }),
      });
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
    if (bottle.schedule_versions.length > 0) await this.states.armDoses(bottle._id, now);
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
