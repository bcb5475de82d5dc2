import { Module, type Provider } from '@nestjs/common';
import { FleetCharts } from './charts/fleet-charts.js';
import { HeatMaps } from './charts/heat-map.js';
import { VitalsCharts } from './charts/vitals-charts.js';
import { Verifier } from './checking/verifier.js';
import { RangedCollections } from './collections/ranged-collections.js';
import { AdherenceCounts } from './counting/adherence.js';
import { Buckets } from './counting/buckets.js';
import { LiveCounts } from './counting/live.js';
import { ReportRollUp } from './report-roll-up/report-roll-up.js';
import { Progress } from './report-roll-up/progress.js';
import { DirtyBuckets } from './rollup/dirty-buckets.js';
import { RollUps } from './rollup/roll-ups.js';
import { TierDocumentsRepository } from './tiers/tier-documents.repository.js';
import { VitalsDaysRepository } from './vitals/vitals-days.repository.js';
import { VitalsHistory } from './vitals/vitals-history.js';

const PROVIDERS: Provider[] = [
  RangedCollections,
  AdherenceCounts,
  Buckets,
  LiveCounts,
  Progress,
  ReportRollUp,
  DirtyBuckets,
  RollUps,
  TierDocumentsRepository,
  VitalsDaysRepository,
  VitalsHistory,
  Verifier,
  FleetCharts,
  VitalsCharts,
  HeatMaps,
];

/** The bucket documents behind the charts, on the connection of PersistenceModule. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class TimeseriesModule {}
