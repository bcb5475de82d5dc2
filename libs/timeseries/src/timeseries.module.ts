import { Module, type Provider } from '@nestjs/common';
import { FleetCharts } from './charts/fleet-charts.js';
import { HeatMaps } from './charts/heat-map.js';
import { LiveCharts } from './charts/live-charts.js';
import { VitalsCharts } from './charts/vitals-charts.js';
import { RangedCollections } from './collections/ranged-collections.js';
import { Comparison } from './comparing/comparison.js';
import { ReportLog } from './comparing/report-log.js';
import { TagComparison } from './comparing/tag-comparison.js';
import { TierComparison } from './comparing/tier-comparison.js';
import { VitalsComparison } from './comparing/vitals-comparison.js';
import { Buckets } from './counting/buckets.js';
import { Preallocation } from './counting/preallocation.js';
import { WriterJournal } from './recorder/writer-journal.js';
import { ActivityReconcile } from './recounting/activity-reconcile.js';
import { ComparingRoundsRepository } from './recounting/comparing-rounds.repository.js';
import { Rebuild } from './recounting/rebuild.js';
import { RecountedLog } from './recounting/recounted-log.js';
import { Recounts } from './recounting/recounts.js';
import { LoggedCounts } from './rollup/logged-counts.js';
import { DirtyBuckets } from './rollup/marks.js';
import { RolledValuesRepository } from './rollup/rolled-values.repository.js';
import { RollUps } from './rollup/roll-ups.js';
import { BottleVitals } from './vitals/bottle-vitals.js';
import { TierDocumentsRepository } from './tiers/tier-documents.repository.js';

const PROVIDERS: Provider[] = [
  RangedCollections,
  Buckets,
  Preallocation,
  DirtyBuckets,
  LoggedCounts,
  RolledValuesRepository,
  RollUps,
  WriterJournal,
  TierDocumentsRepository,
  ReportLog,
  TierComparison,
  TagComparison,
  VitalsComparison,
  Comparison,
  RecountedLog,
  Recounts,
  Rebuild,
  ComparingRoundsRepository,
  ActivityReconcile,
  FleetCharts,
  LiveCharts,
  VitalsCharts,
  BottleVitals,
  HeatMaps,
];

/** The bucket documents behind the charts, on the connection of PersistenceModule. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class TimeseriesModule {}
