import { type Alert, AlertListsRepository, ContactsRepository } from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { AdherenceService } from '../history/adherence.service.js';
import type { AdherenceQuery } from '../history/history.dto.js';
import { readRange } from '../http/time-range.js';
import { viewOf } from '../http/view.js';
import { PersonsReportDto, ReportedBottleDto } from './person.dto.js';
import { PersonService } from './person.service.js';
import { spansOf } from './persons-bottles.js';

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_SPAN = 28 * DAY_MS;
const LONGEST_SPAN = 92 * DAY_MS;
/** A silence that was raised longer before the period is left out. */
const LONGEST_SILENCE = 30 * DAY_MS;

/** What a doctor wants to know of a period: the adherence with each bottle, and when it could not be measured. */
@Injectable()
export class PersonsReportService {
  constructor(
    private readonly person: PersonService,
    private readonly adherence: AdherenceService,
    private readonly alerts: AlertListsRepository,
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
    const alerts = await this.alerts.findOfBottles(ids, new Date(from.getTime() - LONGEST_SILENCE), to);
    const silences = alerts.filter(({ kind, user_id }) => kind === 'bottle_silent' && user_id === userId);
    const parts = bottles.flatMap((one) => spansOf([one], from, to).map((span) => ({ ...one, ...span })));
    const shown = parts
      .filter((part) => part.from < part.to)
      .map(async (part) =>
        viewOf(ReportedBottleDto, {
          bottle_id: part.bottle_id,
          medication: part.medication,
          adherence: await this.adherence.figures(part.bottle, part.from, part.to),
          gaps: silences
            .filter(({ bottle_id }) => bottle_id.equals(part.bottle_id))
            .map(gapOf)
            .filter(({ from: since, until }) => since < part.to && (!until || until > part.from)),
        }),
      );
    const name = contact?.name ?? null;
    return { user_id: userId, name, from, to, bottles: await Promise.all(shown) };
  }
}

/** From the last report on. */
function gapOf({ evidence, raised_at, ended_at }: Alert): { from: Date; until?: Date } {
  const last = evidence['last_heard_at'];
  return { from: last instanceof Date ? last : raised_at, ...(ended_at && { until: ended_at }) };
}
