import {
  BATTERY_RECHECK_MS,
  type BatteryReading,
  DAY_MS,
  DEADLINES,
  endForAnother,
  findLowBattery,
  followLowBattery,
  isOfAnother,
  judgeConditionAgain,
  onConditionChecked,
  type RecordedCoverage,
  type Release,
} from '#domain';
import {
  type Alert,
  AlertsRepository,
  BottleLogsRepository,
  type BottleState,
  CoverageRepository,
  DeadlinesRepository,
} from '#persistence';
import { Clock } from '#platform';
import { Injectable } from '@nestjs/common';
import { alertId, AlertsService } from '../../alerts/alerts.service.js';
import { Check, type CheckResult, type Finding } from '../../alerts/check.js';
import { NotifierConfig } from '../../config.js';

/** A report on its way to the log at the last check is found by the next one. Milliseconds. */
const IN_FLIGHT_MS = 60_000;

interface Page {
  readings: Map<string, BatteryReading[]>;
  openAlerts: Map<string, Alert<'battery_low'>>;
  /** Since the earliest last contact of the page. */
  coverage: RecordedCoverage;
}

/**
 * A battery is low when every report of a day that carries a reading is below the threshold. The first low reading
 * arms `battery_low_at`, a day later; other readings write nothing. The sweep confirms against the log: a reading that
 * was not low moves or disarms the deadline. While the alert's condition lasts (`battery_low_since`), the deadline is
 * the next check for recovery. A silent bottle raises nothing: `bottle_silent` is open for it, or a period holds that.
 */
@Injectable()
export class BatteryLowCheck extends Check {
  private readonly threshold: number;

  constructor(
    deadlines: DeadlinesRepository,
    alerts: AlertsService,
    clock: Clock,
    private readonly storedAlerts: AlertsRepository,
    private readonly logs: BottleLogsRepository,
    private readonly coverage: CoverageRepository,
    private readonly config: NotifierConfig,
  ) {
    super('battery', deadlines, alerts, clock);
    this.threshold = config.BATTERY_LOW_PERCENT;
  }

  run(stopping = () => false): Promise<CheckResult> {
    return this.sweepPages(
      {
        claim: (now, lease, limit, skip) => this.deadlines.claimOverdue('battery', now, lease, limit, skip),
        prepare: (states, now) => this.readPage(states, now),
        judge: (state, now, page) => this.judge(state, now, page),
      },
      stopping,
    );
  }

  private async readPage(states: BottleState[], now: Date): Promise<Page> {
    const followed = states.filter(({ battery_low_since }) => battery_low_since !== undefined);
    // a bad record must not stop the page: it is quarantined when it is judged
    const seen = states.flatMap(({ last_heard_at }) =>
      last_heard_at instanceof Date ? [last_heard_at.getTime()] : [],
    );
    const [readings, openAlerts, coverage] = await Promise.all([
      this.logs.findBatteryReadings(
        states.map((state) => ({
          bottle_id: state._id,
          since: new Date(
            state.battery_low_at!.getTime() -
              (state.battery_low_since ? BATTERY_RECHECK_MS + IN_FLIGHT_MS : DAY_MS),
          ),
        })),
      ),
      this.storedAlerts.findOpenByBottle(
        followed.map(({ _id }) => _id),
        'battery_low',
      ),
      this.coverage.read(new Date(Math.min(now.getTime(), ...seen)), now, this.config.SILENT_BOTTLE_AFTER),
    ]);
    return { readings, openAlerts, coverage };
  }

  private judge(state: BottleState, now: Date, { readings, openAlerts, coverage }: Page): Finding {
    const id = state._id.toHexString();
    const open = openAlerts.get(id);
    // the next low reading begins the day anew
    const release = (): Release =>
      onConditionChecked(state, DEADLINES.battery, { next: undefined, cause: undefined });
    if (state.life) return { release };
    if (open && isOfAnother(open, state)) return { end: [endForAnother(open, now)], release };
    const found = (readings.get(id) ?? []).toSorted(
      (one, other) => one.time.getTime() - other.time.getTime(),
    );
    if (!found.every(({ percent }) => typeof percent === 'number'))
      throw new TypeError('a battery reading is not a number');
    const { threshold } = this;
    const rule = {
      threshold,
      isDisabled: this.config.disables('battery_low'),
      coverage,
      silentAfter: this.config.SILENT_BOTTLE_AFTER,
    };
    const { raise, end, next, cause } = state.battery_low_since
      ? followLowBattery(state, found, open, threshold, now)
      : findLowBattery(state, found, rule, now);
    return {
      raise: raise ? [raise] : [],
      end: end ? [end] : [],
      ...(raise && { judgeAgain: judgeConditionAgain(state, DEADLINES.battery, raise.cause, now) }),
      release: (standing) => {
        // an earlier alert is in the way, and the next check raises this one
        const waits = raise && !standing.has(alertId(raise).toHexString());
        return onConditionChecked(state, DEADLINES.battery, { next, cause: waits ? undefined : cause });
      },
    };
  }
}
