import { DAY_MS, type DayBasis, ownedSince } from '#domain';
import { type Bottle, BottlesRepository } from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { type ById, Cursors, type Page, readPage } from '../http/paging.js';
import { AdherenceService, readSpan, taxonomyOf } from './adherence.service.js';
import type { BottleFiguresDto, FleetAdherenceQuery } from './fleet-adherence.dto.js';
import type { TaxonomyDto } from './taxonomy.dto.js';

const DEFAULT_SPAN = 30 * DAY_MS;
const CURSORS = new Cursors<ById>('fleet_adherence', { timed: false });
/** Of so many bottles at once the days are read. */
const AT_ONCE = 10;

/** The figures of every bottle, page by page. What a page reads grows with its bottles and their days, not with the fleet. */
@Injectable()
export class FleetAdherenceService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly adherence: AdherenceService,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 400 for an invalid range or cursor */
  list(query: FleetAdherenceQuery): Promise<Page<BottleFiguresDto>> {
    const { from, to } = readSpan(query, this.clock.now(), DEFAULT_SPAN);
    return readPage(query, {
      cursors: CURSORS,
      find: (after, limit) => this.bottles.findRegistered(after?.id, limit),
      positionOf: ({ _id }) => ({ id: _id }),
      show: async (bottles) => {
        const shown: BottleFiguresDto[] = [];
        for (let next = 0; next < bottles.length; next += AT_ONCE)
          shown.push(
            ...(await Promise.all(
              bottles.slice(next, next + AT_ONCE).map((bottle) => this.figuresOf(bottle, from, to)),
            )),
          );
        return shown;
      },
    });
  }

  private async figuresOf(bottle: Bottle, from: Date, to: Date): Promise<BottleFiguresDto> {
    const since = ownedSince(bottle);
    const begins = since > from ? since : from;
    const [part, initiation] = await Promise.all([
      this.adherence.part(bottle, begins < to ? begins : to, to),
      this.adherence.initiation(bottle, since),
    ]);
    const of = (basis: DayBasis): TaxonomyDto => ({
      initiation: initiation[basis],
      ...taxonomyOf([part], part.days, basis),
    });
    const { _id, user_id, medication, time_zone } = bottle;
    const named = { bottle_id: _id.toHexString(), user_id, medication, time_zone };
    return { ...named, ...of('measured'), reported: of('reported') };
  }
}
