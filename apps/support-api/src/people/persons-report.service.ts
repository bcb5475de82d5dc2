import { DAY_MS, endsAt, isNeverReported, type Period, silentSince, withReports } from '#domain';
import {
  type Alert,
  AlertListsRepository,
  AttestationsRepository,
  type Bottle,
  type BottleSpan,
  ContactsRepository,
  CoverageGapsRepository,
  DoseOutcomesRepository,
  isDamaged,
  type StoredScheduleVersion,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import { MonitoredSinceService } from '../bottles/monitored-since.service.js';
import { periodViews } from '../bottles/periods.service.js';
import { AdherenceService } from '../history/adherence.service.js';
import type { AdherenceQuery } from '../history/history.dto.js';
import { readRange } from '../http/time-range.js';
import { SupportApiConfig } from '../config.js';
import { viewOf } from '../http/view.js';
import { type GapReason, PersonsReportDto, ReportedBottleDto, UnjudgedDoseDto } from './person.dto.js';
import { PersonService } from './person.service.js';
import { spansOf } from './persons-bottles.js';

const DEFAULT_SPAN = 28 * DAY_MS;
const LONGEST_SPAN = 92 * DAY_MS;

/** What a doctor wants to know of a period: the adherence with each bottle, and when it could not be measured. */
@Injectable()
export class PersonsReportService {
  constructor(
    private readonly person: PersonService,
    private readonly adherence: AdherenceService,
    private readonly alerts: AlertListsRepository,
    private readonly coverage: CoverageGapsRepository,
    private readonly contacts: ContactsRepository,
    private readonly monitored: MonitoredSinceService,
    private readonly attestations: AttestationsRepository,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly config: SupportApiConfig,
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
    const [alerts, firsts, coverageGaps] = await Promise.all([
      this.alerts.findLastingAfter(ids, from),
      this.monitored.find(bottles.map(({ bottle }) => bottle)),
      this.coverage.findDuring(from, to, 'device-api'),
    ]);
    const ofService = coverageGaps.map((gap): Gap => ({ ...gap, reason: 'coverage_gap' }));
    const gapsOf = ({ _id, registered_at }: Bottle): Gap[] => [
      ...alerts
        .filter(({ kind, bottle_id }) => kind === 'bottle_silent' && bottle_id.equals(_id))
        // the time before the first report is a gap of its own
        .filter((alert) => isDamaged(alert) || !isNeverReported(alert))
        .map(silence),
      ...this.beforeFirst(registered_at, firsts.get(_id.toHexString()) ?? null),
      ...ofService,
    ];
    const shown = bottles.flatMap((one) => {
      const { bottle } = one;
      const gaps = gapsOf(bottle);
      return spansOf([one], from, to)
        .map((span, index) => ({
          // the day of registration is a day of the plan
          begins: span.from,
          // there was no bottle before
          span: { ...span, from: later(span.from, bottle.registered_at) },
          owned: { ...one.periods[index]!, from: later(one.periods[index]!.from, bottle.registered_at) },
        }))
        .filter(({ span }) => span.from < span.to)
        .map(async ({ begins, span, owned }) => {
          const [figures, unjudged] = await Promise.all([
            this.adherence.figures(bottle, begins, span.to, owned.from),
            this.findUnjudged(span),
          ]);
          const { monitored_since: first } = figures;
          return viewOf(ReportedBottleDto, {
            bottle_id: span.bottle_id,
            medication: one.medication,
            adherence: { ...figures, from: span.from, monitored_since: first && later(first, owned.from) },
            schedules: schedulesWithin(bottle.schedule_versions, span, owned.from),
            periods: periodViews(
              bottle.pauses.filter((period) => period.from < span.to && endsAt(period) > span.from.getTime()),
            ),
            gaps: gapsWithin(gaps, span, owned),
            unjudged,
          });
        });
    });
    const name = contact?.name ?? null;
    return { user_id: userId, name, from, to, bottles: await Promise.all(shown) };
  }

  /** Nobody could see anything before the first report. One that came soon after the registration leaves no gap. */
  private beforeFirst(from: Date, first: Date | null): Gap[] {
    if (first === null) return [{ from, reason: 'never_connected' }];
    const isLate = first.getTime() - from.getTime() > this.config.SILENT_BOTTLE_AFTER;
    return isLate ? [{ from, until: first, reason: 'never_connected' }] : [];
  }

  /** What people say about doses that have no outcome, oldest first. */
  private async findUnjudged({ bottle_id, from, to }: BottleSpan): Promise<UnjudgedDoseDto[]> {
    const entries = await this.attestations.findBetween(bottle_id, from, to);
    const slots = [...new Set(entries.map(({ scheduled_at }) => scheduled_at.getTime()))];
    const judged = await this.outcomes.findOfSlots(
      bottle_id,
      slots.map((slot) => new Date(slot)),
    );
    const withOutcome = new Set(judged.map(({ scheduled_at }) => scheduled_at.getTime()));
    const doses = slots
      .filter((slot) => !withOutcome.has(slot))
      .map((slot) => ({ scheduled_at: new Date(slot), pills_taken: 0 }));
    return withReports(doses, entries, () => undefined)
      .filter(({ reported }) => reported !== null)
      .map((dose) => viewOf(UnjudgedDoseDto, dose));
  }
}

/** When we could not see what happened. `until` is absent while it lasts. */
interface Gap {
  from: Date;
  until?: Date;
  reason: GapReason;
}

/** From the last report on. */
function silence(alert: Alert): Gap {
  const { raised_at, ended_at, cleared_at } = alert;
  const last = isDamaged(alert) ? undefined : silentSince(alert);
  // in a hold-down it is back already
  const until = ended_at ?? cleared_at;
  return { from: last ?? raised_at, ...(until && { until }), reason: 'silent' };
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

/** The versions that were in effect in a span, in order; one from before the bottle was theirs begins then. */
function schedulesWithin(
  versions: readonly StoredScheduleVersion[],
  span: BottleSpan,
  since: Date,
): StoredScheduleVersion[] {
  return versions
    .toSorted((one, other) => one.effective_from.getTime() - other.effective_from.getTime())
    .filter(({ effective_from, ends_at }, index, all) => {
      const until = [ends_at, all[index + 1]?.effective_from].reduce(earlier, undefined);
      return effective_from < span.to && (!until || until > span.from);
    })
    .map((version) => ({ ...version, effective_from: later(version.effective_from, since) }));
}

function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one && other && other < one ? other : (one ?? other);
}

function later(one: Date | undefined, other: Date): Date {
  return one && one > other ? one : other;
}
