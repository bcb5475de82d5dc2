import { onScheduleChange, parsePause, type Pause } from '#domain';
import { BottlesRepository, BottleStatesRepository } from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { readBy } from './schedule-problem.js';

/** Times in which no dose is due: a stay in hospital, a doctor's order. */
@Injectable()
export class PausesService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly clock: Clock,
  ) {}

  /** Adds a pause from now, or from later. What is past stays as it was judged. @throws Problem 400, 404 */
  async add(id: Types.ObjectId, input: unknown): Promise<Pause> {
    const now = this.clock.now();
    const pause = read(input, now);
    if (!(await this.bottles.addPause(id, pause))) throw Problem.notFound('bottle');
    await this.states.change(id, onScheduleChange(now));
    return pause;
  }

  /** Ends a pause that runs, or takes away one that is to come. @throws Problem 400, 404 */
  async end(id: Types.ObjectId, from: string): Promise<void> {
    const now = this.clock.now();
    const begins = new Date(from);
    const done =
      begins > now
        ? await this.bottles.removePause(id, begins)
        : await this.bottles.endPause(id, begins, now);
    if (!done) throw Problem.notFound('pause');
    await this.states.change(id, onScheduleChange(now));
  }
}

/** A pause does not reach back: what is past stays as it was judged. */
function read(input: unknown, now: Date): Pause {
  const pause = readBy(() => parsePause(input, now));
  return pause.from < now ? { ...pause, from: now } : pause;
}
