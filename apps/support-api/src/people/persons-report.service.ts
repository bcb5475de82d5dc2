import type { Period } from '#domain';
import {
  type Alert,
  AlertListsRepository,
  type Bottle,
  type BottleSpan,
  BottleStatesRepository,
  ContactsRepository,
  CoverageGapsRepository,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { AdherenceService } from '../history/adherence.service.js';
import type { AdherenceQuery } from '../history/history.dto.js';
import { readRange } from '../http/time-range.js';
import { viewOf } from '../http/view.js';
import { type GapReason, PersonsReportDto, ReportedBottleDto } from './person.dto.js';
import { PersonService } from './person.service.js';
import { spansOf } from './persons-bottles.js';

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_SPAN = 28 * DAY_MS;
const LONGEST_SPAN = 92 * DAY_MS;

/** What a doctor wants to know of a period: the adherence with each bottle, and when it could not be measured. */
@Injectable()
export class PersonsReportService {
  constructor(
    private readonly person: PersonService,
    private readonly adherence: AdherenceService,
    private readonly alerts: AlertListsRepository,
    private readonly states: BottleStatesRepository,
    private readonly coverage: CoverageGapsRepository,
    private readonly contacts: ContactsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 400 for an invalid range, 404 */
  async get(userId: string, query: AdherenceQuery): Promise<PersonsReportDto> {
    const { from, to } = readRange(query, this.clock.now(), DEFAULT_SPAN);
    if (to.getTime() - from.getTime() > LONGEST_SPAN)
      throw Problem.field('from', 'invalid_range', 'from must be at most 92 days before to');
    const [bottles, contact] = await Promise.all([
      this.person.requireKnown(userId),
      this.contacts.findByUser(userId),
    ]);
    const ids = bottles.map(({ bottle }) => bottle._id);
    const [alerts, states, coverageGaps] = await Promise.all([
      this.alerts.findLastingAfter(ids, from),
      this.states.findByIds(ids),
      this.coverage.findDuring(from, to, 'device-api'),
    ]);
    const neverConnected = new Set(
      states.flatMap(({ _id, last_heard_at }) => (last_heard_at ? [] : _id.toHexString())),
    );
    const ofService = coverageGaps.map((gap): Gap => ({ ...gap, reason: 'coverage_gap' }));
    const gapsOf = ({ _id, registered_at }: Bottle): Gap[] => [
      ...alerts
        .filter(({ kind, bottle_id }) => kind === 'bottle_silent' && bottle_id.equals(_id))
        .map(silence),
      ...(neverConnected.has(_id.toHexString())
        ? [{ from: registered_at, reason: 'never_connected' } as const]
        : []),
      ...ofService,
    ];
    const shown = bottles.flatMap((one) => {
      const gaps = gapsOf(one.bottle);
      return spansOf([one], from, to)
        .map((span, index) => ({ span, owned: one.periods[index]! }))
        .filter(({ span }) => span.from < span.to)
        .map(async ({ span, owned }) =>
          viewOf(ReportedBottleDto, {
            bottle_id: span.bottle_id,
            medication: one.medication,
            adherence: await this.adherence.figures(one.bottle, span.from, span.to),
            gaps: gapsWithin(gaps, span, { from: one.bottle.registered_at, ...owned }),
          }),
        );
    });
    const name = contact?.name ?? null;
    return { user_id: userId, name, from, to, bottles: await Promise.all(shown) };
  }
}

/** When we could not see what happened. `until` is absent while it lasts. */
interface Gap {
  from: Date;
  until?: Date;
  reason: GapReason;
}

/** From the last report on. */
function silence({ evidence, raised_at, ended_at, cleared_at }: Alert): Gap {
  const last = evidence['last_heard_at'];
  // in a hold-down it is back already
  const until = ended_at ?? cleared_at;
  return { from: last instanceof Date ? last : raised_at, ...(until && { until }), reason: 'silent' };
}

/** The gaps that touch a span, oldest first; of each, what lies within the time in which the bottle was theirs. */
function gapsWithin(gaps: readonly Gap[], span: BottleSpan, owned: Period & { from: Date }): Gap[] {
  return gaps
    .filter(({ from, until }) => from < span.to && (!until || until > span.from))
    .map(({ from, until, reason }) => {
      const end = earlier(until, owned.until);
      return { from: from < owned.from ? owned.from : from, ...(end && { until: end }), reason };
    })
    .toSorted((one, other) => one.from.getTime() - other.from.getTime());
}

function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one && other && other < one ? other : (one ?? other);
}
