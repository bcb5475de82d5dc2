import {
  ACTIVE_STATES,
  currentProblems,
  daysOfSupply,
  dosesLeft,
  endsAt,
  isInUse,
  lastingPlan,
  nextSlotAfter,
  type SlotProgress,
  versionAt,
  withReports,
} from '#domain';
import {
  type Alert,
  AlertsRepository,
  AttestationsRepository,
  type Bottle,
  type BottleHeartbeat,
  BottleHeartbeatsRepository,
  BottlesRepository,
  type BottleState,
  BottleStatesRepository,
  type BottleStatus,
  ContactsRepository,
  type DoseOutcome,
  DoseOutcomesRepository,
  type StateFilter,
  statusOf,
  versionOf,
} from '#persistence';
import { Clock, Problem } from '#platform';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { AlertViews } from '../alerts/alert-views.js';
import { DoseDto } from '../history/history.dto.js';
import { DEFAULT_LIMIT, type Page, readPage } from '../http/paging.js';
import { viewOf, viewsOf } from '../http/view.js';
import {
  type ListBottlesQuery,
  BottleDto,
  BottleSummaryDto,
  ListedBottleDto,
  type PlanMemberDto,
  type StatusReasonDto,
} from './bottle.dto.js';
import { type DeviceDto, type DeviceStatus, VitalsDto } from './device.dto.js';
import { positionIn, readOrder, valueAt } from './bottle-order.js';
import { BottleSearch, decodeMatch, encodeMatch } from './bottle-search.js';
import { MonitoredSinceService } from './monitored-since.service.js';
import { pausesOf, periodViews } from './periods.service.js';
import { SharedPlansService } from './shared-plans.service.js';
import { type BottleToday, TodayService, todayView } from './today.service.js';

const LAST_DOSES = 3;
/** The longest supply that the domain computes. Days. */
const SUPPLY_HORIZON = 400;

/** Lists and details of bottles. */
@Injectable()
export class LookupService {
  constructor(
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly heartbeats: BottleHeartbeatsRepository,
    private readonly contacts: ContactsRepository,
    private readonly search: BottleSearch,
    private readonly outcomes: DoseOutcomesRepository,
    private readonly attestations: AttestationsRepository,
    private readonly alerts: AlertsRepository,
    private readonly alertViews: AlertViews,
    private readonly today: TodayService,
    private readonly plans: SharedPlansService,
    private readonly monitored: MonitoredSinceService,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem 400 `unsupported_sort` */
  list({
    q,
    sort,
    status,
    user_id,
    medication,
    life = q === undefined ? 'in_use' : 'any',
    ...query
  }: ListBottlesQuery): Promise<Page<ListedBottleDto>> {
    const filter = { status, user_id, medication, ...(life !== 'any' && { life }) };
    if (q !== undefined && sort === undefined) return this.listMatches(q.trim(), filter, query);
    const order = readOrder(sort ?? 'registered', { ...filter, q });
    const now = this.clock.now();
    return readPage(query, {
      cursors: order.cursors,
      find: (last, limit) =>
        this.states.findPage({ ...filter, ...order, now, after: last && valueAt(order, last), limit }),
      positionOf: (state) => positionIn(order, state),
      show: (states) => this.listed(states),
    });
  }

  private async listMatches(
    part: string,
    filter: StateFilter,
    { cursor, limit = DEFAULT_LIMIT }: ListBottlesQuery,
  ): Promise<Page<ListedBottleDto>> {
    const after = cursor === undefined ? undefined : decodeMatch(cursor);
    const { states, next } = await this.search.find(part, filter, after, limit);
    return { items: await this.listed(states), ...(next && { next_cursor: encodeMatch(next) }) };
  }

  private async listed(states: BottleState[]): Promise<ListedBottleDto[]> {
    const now = this.clock.now();
    const ids = states.map(({ _id }) => _id);
    const [bottles, names, newest, alerts] = await Promise.all([
      this.bottles.findByIds(ids),
      this.contacts.findNames(states.map(({ user_id }) => user_id)),
      this.heartbeats.findNewestOf(ids),
      this.alerts.countActiveOf(ids),
    ]);
    const registered = new Map(bottles.map((bottle) => [bottle._id.toHexString(), bottle]));
    return states.map((state) => {
      const id = state._id.toHexString();
      const bottle = registered.get(id);
      const heartbeat = newest.get(id) ?? null;
      const next = bottle && nextSlotAfter(bottle.schedule_versions, bottle.pauses, now);
      return viewOf(ListedBottleDto, {
        ...summaryView(state, heartbeat, bottle),
        user_name: names.get(state.user_id),
        time_zone: bottle?.time_zone,
        next_dose_at: next?.scheduled_at,
        open_alert_count: alerts.get(id) ?? 0,
        battery_percent: heartbeat?.battery_percent,
      });
    });
  }

  /** @throws Problem 404 */
  async get(id: Types.ObjectId): Promise<{ version: string; view: BottleDto }> {
    const now = this.clock.now();
    const [bottle, state, newest, followed] = await Promise.all([
      this.bottles.findById(id),
      this.states.findById(id),
      this.heartbeats.findNewest(id),
      this.alerts.findOpenAlarms([id]),
    ]);
    if (!bottle || !state) throw Problem.notFound('bottle');
    const openAlerts = followed.filter((alert) => ACTIVE_STATES.includes(alert.state));
    const [today, open_alerts, members, monitored_since] = await Promise.all([
      this.today.judge(bottle, state, now),
      this.alertViews.show(openAlerts),
      this.membersOf(bottle),
      this.monitored.of(bottle),
    ]);
    const earlier = await this.earlierDoses(id, today, now);
    const shown = [...today.doses.map(({ slot }) => slot), ...earlier].map(
      ({ scheduled_at }) => scheduled_at,
    );
    const entries = await this.attestations.findOfSlots(id, shown);
    const { schedule_versions: versions, pauses: periods } = bottle;
    const current = versionAt(versions, now);
    const summary = summaryView(state, newest, bottle);
    const view = viewOf(BottleDto, {
      ...bottle,
      ...state,
      ...summary,
      vitals: newest && vitalsView(newest),
      report_problems: currentProblems(state.report_problems ?? [], now),
      monitored_since,
      device: deviceView(bottle, state, today),
      reasons: statusReasons(bottle, state, openAlerts),
      schedule: current ?? null,
      doses_left: (current && dosesLeft(current, now)) ?? null,
      previous_schedule: versions.findLast(
        (one) => current && one.effective_from < current.effective_from && !one.ends_at,
      ),
      coming_schedules: versions.filter(({ effective_from }) => effective_from > now),
      pauses: pausesOf(periods, now),
      periods: periodViews(periods.filter((period) => endsAt(period) > now.getTime())),
      plan_of: lastingPlan(bottle.shared_plans)?.of,
      plan_members: members,
      days_left: daysLeft(bottle, sumOf([summary, ...members]), today.progress, now),
      today: todayView(bottle, today, entries, now),
      last_doses: viewsOf(DoseDto)(withReports(earlier, entries, ({ outcome }) => outcome)),
      next_dose: today.next ?? null,
      open_alerts,
    });
    return { version: versionOf(bottle), view };
  }

  private async membersOf(bottle: Bottle): Promise<PlanMemberDto[]> {
    const members = await this.plans.membersOf(bottle);
    if (members.length === 0) return [];
    const newest = await this.heartbeats.findNewestOf(members.map((member) => member.bottle._id));
    return members.map((member) => {
      const id = member.bottle._id.toHexString();
      const { pills_left } = summaryView(member.state, newest.get(id) ?? null, member.bottle);
      return { bottle_id: id, since: lastingPlan(member.shared)!.from, pills_left };
    });
  }

  /** The last doses with an outcome that are not among today's. */
  private async earlierDoses(id: Types.ObjectId, today: BottleToday, now: Date): Promise<DoseOutcome[]> {
    const shown = new Set(today.doses.map(({ slot }) => slot.scheduled_at.getTime()));
    const limit = LAST_DOSES + shown.size;
    const found = await this.outcomes.findHistory(id, { from: new Date(0), to: now, limit });
    return found.filter(({ scheduled_at }) => !shown.has(scheduled_at.getTime())).slice(0, LAST_DOSES);
  }
}

/** @param bottle absent while the bottle is being registered or erased */
export function summaryView(
  state: BottleState,
  newest: BottleHeartbeat | null,
  bottle: Bottle | undefined,
): BottleSummaryDto {
  return viewOf(BottleSummaryDto, {
    ...state,
    bottle_id: state._id,
    label: bottle?.label || null,
    status: statusOf(state),
    life: bottle && (bottle.life ?? { state: 'in_use', since: bottle.registered_at }),
    // from the last action; if it has no count, from a heartbeat; before the first one, from the registration, too
    pills_left:
      state.last_action?.number_of_pills ??
      newest?.number_of_pills ??
      (state.last_action ? undefined : bottle?.initial_pills),
  });
}

/** The pills in all bottles of a plan; null if those in one of them are not known. */
function sumOf(bottles: readonly { pills_left: number | null }[]): number | null {
  const counts = bottles.map(({ pills_left }) => pills_left);
  return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + count!, 0);
}

/** Null if the heartbeat carried nothing. */
function vitalsView(heartbeat: BottleHeartbeat): VitalsDto | null {
  const { at, ...vitals } = viewOf(VitalsDto, { ...heartbeat, at: heartbeat.time });
  return Object.values(vitals).every((value) => value === null) ? null : { at, ...vitals };
}

/** For how many whole days the pills last, beside what was taken already. Null if there is no schedule, or if it cannot be known. */
function daysLeft(
  { schedule_versions: versions, pauses: periods }: Bottle,
  pills: number | null,
  progress: readonly SlotProgress[],
  now: Date,
): number | null {
  if (pills === null || versions.length === 0) return null;
  const { days } = daysOfSupply({ pills, versions, periods, progress, now });
  return days >= SUPPLY_HORIZON ? null : Math.floor(days);
}

function deviceView(bottle: Bottle, state: BottleState, today: BottleToday): DeviceDto {
  const status = deviceStatus(state, today);
  return { status, ...explain(status, bottle, state, []) };
}

function deviceStatus({ last_heard_at, open }: BottleState, { is_silent }: BottleToday): DeviceStatus {
  if (!last_heard_at) return 'unknown';
  if (is_silent) return 'silent';
  return open ? 'open' : 'ok';
}

/** Why a bottle has its status: everything that applies, the status itself first. */
function statusReasons(bottle: Bottle, state: BottleState, openAlerts: Alert[]): StatusReasonDto[] {
  const status = statusOf(state);
  const reasons: BottleStatus[] = [status];
  // of a bottle that does not report: what applied at its last report
  const disconnected = status === 'unknown' || status === 'silent';
  if (disconnected && state.late) reasons.push('late');
  if (state.open && (disconnected || status === 'late')) reasons.push('open');
  return reasons.map((reason) => ({ status: reason, ...explain(reason, bottle, state, openAlerts) }));
}

function explain(
  status: BottleStatus,
  bottle: Bottle,
  state: BottleState,
  openAlerts: Alert[],
): Omit<StatusReasonDto, 'status'> {
  switch (status) {
    case 'unknown':
      if (state.last_heard_at)
        return { since: bottle.life?.since ?? null, text: 'In use again, no report since.' };
      return { since: bottle.registered_at, text: 'Registered, no report yet.' };
    case 'silent':
      return { since: state.last_heard_at ?? null, text: 'No report since then.' };
    case 'late':
      return explainLateness(openAlerts);
    case 'open': {
      const text = state.alerted_opening === 'lasting' ? 'It has been open for too long.' : 'It is open.';
      return { since: state.last_action?.time ?? null, text };
    }
    case 'ok':
      if (!isInUse(bottle)) return { since: bottle.life!.since, text: 'It is not in use.' };
      return { since: null, text: 'It reports, and it is closed.' };
  }
}

function explainLateness(openAlerts: Alert[]): Omit<StatusReasonDto, 'status'> {
  const missed = openAlerts.filter(({ kind }) => kind === 'missed_dose');
  const first = Math.min(...missed.map(({ deadline }) => deadline.getTime()));
  const text =
    missed.length > 1 ? `${missed.length} doses were not taken in time.` : 'A dose was not taken in time.';
  return { since: missed.length > 0 ? new Date(first) : null, text };
}
