import { DAY_MS, MINUTE_MS } from '#domain';
import { BottlesRepository } from '#persistence';
import { Clock, Problem } from '#platform';
import {
  type Chart,
  type ChartRange,
  FleetCharts,
  HeatMaps,
  type Step,
  TooManyPointsError,
  VitalsCharts,
} from '#timeseries';
import { Injectable } from '@nestjs/common';
import type { Types } from 'mongoose';
import { SupportApiConfig } from '../config.js';
import { readRange } from '../http/time-range.js';
import type { BottleChartQuery, FleetChartQuery, HeatMapDto, HeatMapQuery } from './chart.dto.js';

const DEFAULT_SPAN = { live: 5 * MINUTE_MS, fleet: DAY_MS, bottle: 7 * DAY_MS, heatMap: 90 * DAY_MS };

/** Charts of the fleet and of single bottles. */
@Injectable()
export class ChartsService {
  constructor(
    private readonly fleetCharts: FleetCharts,
    private readonly vitalsCharts: VitalsCharts,
    private readonly heatMaps: HeatMaps,
    private readonly bottles: BottlesRepository,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {}

  /** @throws Problem 400 for an invalid range or step */
  fleet(query: FleetChartQuery): Promise<Chart> {
    const now = this.clock.now();
    const { series } = query;
    const range = chartRange(query, now, series === 'live' ? DEFAULT_SPAN.live : DEFAULT_SPAN.fleet);
    if (series === 'live') {
      if (range.step !== 'auto' && range.step !== '1s') throw wrongStep('live charts have a step of 1s');
      return limitPoints(() => this.fleetCharts.live(range.from, range.to, now));
    }
    if (range.step === '1s') throw wrongStep('only live charts have a step of 1s');
    return limitPoints(() => this.fleetCharts.chart(series, range, now));
  }

  /** @throws Problem 400 for an invalid range or step, 404 for an unknown bottle */
  async bottle(id: Types.ObjectId, query: BottleChartQuery): Promise<Chart> {
    const now = this.clock.now();
    const range = chartRange(query, now, DEFAULT_SPAN.bottle);
    const heartbeatsSince = new Date(now.getTime() - this.config.HEARTBEAT_RETENTION);
    const [bottle, chart] = await Promise.all([
      this.bottles.findById(id),
      limitPoints(() => this.vitalsCharts.chart(id, query.series, range, heartbeatsSince, now)),
    ]);
    if (!bottle) throw Problem.notFound('bottle');
    return chart;
  }

  /** @throws Problem 400 for an invalid range */
  async heatMap(query: HeatMapQuery): Promise<HeatMapDto> {
    const { medication, time_zone } = query;
    const tomorrow = Math.floor(this.clock.now().getTime() / DAY_MS + 1) * DAY_MS;
    const to = query.to === undefined ? new Date(tomorrow) : dateOf(query.to, 'to');
    const from =
      query.from === undefined ? new Date(to.getTime() - DEFAULT_SPAN.heatMap) : dateOf(query.from, 'from');
    if (from >= to) throw Problem.field('from', 'invalid_range', 'from must be before to');
    const map = await limitPoints(() => this.heatMaps.of(medication, time_zone, from, to));
    const day = (date: Date): string => date.toISOString().slice(0, 10);
    return { medication, time_zone: time_zone ?? null, from: day(from), to: day(to), ...map };
  }
}

function chartRange(
  { from, to, step, time_zone }: { from?: string; to?: string; step?: string; time_zone?: string },
  now: Date,
  defaultSpan: number,
): ChartRange {
  const range = readRange({ from, to }, now, defaultSpan);
  // the future is not a gap
  const end = range.to > now ? new Date(now.getTime() + 1) : range.to;
  if (range.from >= end) throw Problem.field('from', 'invalid_range', 'from must not be in the future');
  return { from: range.from, to: end, step: (step ?? 'auto') as Step | 'auto', timeZone: time_zone ?? 'UTC' };
}

async function limitPoints<T>(draw: () => Promise<T>): Promise<T> {
  try {
    return await draw();
  } catch (error) {
    if (!(error instanceof TooManyPointsError)) throw error;
    throw Problem.field('step', 'too_many_points', `${error.message}: use a longer step or a shorter range`);
  }
}

function wrongStep(message: string): Problem {
  return Problem.field('step', 'invalid_value', message);
}

function dateOf(text: string, field: string): Date {
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(text))
    throw Problem.field(field, 'invalid_time', `${field} must be a date such as 2026-03-01`);
  return date;
}
