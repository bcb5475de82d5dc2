import {
  type AlertToRaise,
  type BatteryReading,
  changes,
  DAY_MS,
  DEADLINES,
  findRecovery,
  judgeConditionAgain,
  lowSince,
  onConditionChecked,
} from '#domain';
import {
  type Alert,
  AlertsRepository,
  BottleLogsRepository,
  type BottleState,
  DeadlinesRepository,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { alertId, AlertsService } from '../../alerts/alerts.service.js';
import { Check, type CheckResult, type Finding } from '../../alerts/check.js';
import { NotifierConfig } from '../../config.js';

/** A low battery is checked for its recovery at this interval: about once per two heartbeats. Milliseconds. */
const RECHECK_MS = 15 * 60_000;
/** A report on its way to the log at the last check is found by the next one. Milliseconds. */
const IN_FLIGHT_MS = 60_000;

interface Page {
  readings: Map<string, BatteryReading[]>;
  openAlerts: Map<string, Alert<'battery_low'>>;
}

/**
 * A battery is low when every report of a day that carries a reading is below the threshold. The first low reading
 * arms `battery_low_at`, a day later; other readings write nothing. The sweep confirms against the log: a reading that
 * was not low moves or disarms the deadline. While the alert's condition lasts (`battery_low_since`), the deadline is
 * the next check for recovery. A silent bottle raises nothing: `bottle_silent` is open for it.
 */
@Injectable()
export class BatteryLowCheck extends Check {
  private readonly threshold: number;

  constructor(
    deadlines: DeadlinesRepository,
    alerts: AlertsService,
    clock: Clock,
    private readonly recorded: AlertsRepository,
    private readonly logs: BottleLogsRepository,
    private readonly config: NotifierConfig,
  ) {
    super('battery', deadlines, alerts, clock);
    this.threshold = config.BATTERY_LOW_PERCENT;
  }

  run(stopping = () => false): Promise<CheckResult> {
    return this.sweepPages(
      {
        claim: (now, lease, limit, skip) => this.deadlines.claimOverdue('battery', now, lease, limit, skip),
        prepare: (states) => this.readPage(states),
        judge: (state, now, page) => this.judge(state, now, page),
      },
      stopping,
    );
  }

  private async readPage(states: BottleState[]): Promise<Page> {
    const followed = states.filter(({ battery_low_since }) => battery_low_since !== undefined);
    const [readings, openAlerts] = await Promise.all([
      this.logs.findBatteryReadings(
        states.map((state) => ({
          bottle_id: state._id,
          since: new Date(
            state.battery_low_at!.getTime() - (state.battery_low_since ? RECHECK_MS + IN_FLIGHT_MS : DAY_MS),
          ),
        })),
      ),
      this.recorded.findOpenByBottle(
        followed.map(({ _id }) => _id),
        'battery_low',
      ),
    ]);
    return { readings, openAlerts };
  }

  private judge(state: BottleState, now: Date, { readings, openAlerts }: Page): Finding {
    const id = state._id.toHexString();
    const found = (readings.get(id) ?? []).toSorted(
      (one, other) => one.time.getTime() - other.time.getTime(),
    );
    if (!found.every(({ percent }) => typeof percent === 'number'))
      throw new TypeError('a battery reading is not a number');
    return state.battery_low_since
      ? this.follow(state, now, found, openAlerts.get(id))
      : this.confirm(state, now, found);
  }

  /** The condition holds: has the battery recovered? */
  private follow(
    state: BottleState,
    now: Date,
    readings: BatteryReading[],
    open: Alert<'battery_low'> | undefined,
  ): Finding {
    const recovery = findRecovery(readings, this.threshold);
    if (!recovery)
      return this.checkAgain(state, new Date(now.getTime() + RECHECK_MS), state.battery_low_since);
    const since = lowSince(
      readings.filter(({ time }) => time >= recovery.time),
      this.threshold,
    );
    const evidence = { recovered_at: recovery.time, recovered_percent: recovery.percent };
    const end = { state: 'resolved', owed: 'resolved', at: now, by: 'notifier', evidence } as const;
    return {
      end: open ? [{ alert: open, end }] : [],
      ...this.checkAgain(state, since && new Date(since.getTime() + DAY_MS), undefined),
    };
  }

  /** The deadline has passed: was every reading of a day low? */
  private confirm(state: BottleState, now: Date, readings: BatteryReading[]): Finding {
    const since = lowSince(readings, this.threshold);
    const deadline = since && new Date(since.getTime() + DAY_MS);
    if (!since || !deadline || deadline > now) return this.checkAgain(state, deadline, undefined);
    const isSilent = !state.silent_at || state.silent_at <= now;
    // the next low reading arms the deadline again
    if (isSilent || this.config.disables('battery_low')) return this.checkAgain(state, undefined, undefined);
    const low = readings.filter(({ time }) => time >= since);
    const alert: AlertToRaise = {
      bottle: state,
      kind: 'battery_low',
      subject: '',
      cause: since,
      deadline,
      evidence: {
        rule: 'battery_low_percent',
        low_percent: this.threshold,
        low_since: since,
        battery_percent: low.at(-1)!.percent,
        readings: changes(low).map(({ time, percent }) => ({ at: time, percent })),
      },
    };
    const next = new Date(now.getTime() + RECHECK_MS);
    return {
      raise: [alert],
      judgeAgain: judgeConditionAgain(state, DEADLINES.battery, since, now),
      // without a cause, an earlier alert is in the way, and the next check raises this one
      release: (standing) =>
        onConditionChecked(state, DEADLINES.battery, {
          next,
          cause: standing.has(alertId(alert).toHexString()) ? since : undefined,
        }),
    };
  }

  private checkAgain(state: BottleState, next: Date | undefined, cause: Date | undefined): Finding {
    return { release: () => onConditionChecked(state, DEADLINES.battery, { next, cause }) };
  }
}
