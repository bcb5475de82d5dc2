import { Module, type Provider } from '@nestjs/common';
import { FleetCharts } from './charts/fleet-charts.js';
import { HeatMaps } from './charts/heat-map.js';
import { LiveCharts } from './charts/live-charts.js';
import { VitalsCharts } from './charts/vitals-charts.js';
import { Comparison } from './checking/comparison.js';
import { Rebuild } from './checking/rebuild.js';
import { TagComparison } from './checking/tag-comparison.js';
import { TierComparison } from './checking/tier-comparison.js';
import { RangedCollections } from './collections/ranged-collections.js';
import { Buckets } from './counting/buckets.js';
import { LiveCounts } from './counting/live.js';
import { Preallocation } from './counting/preallocation.js';
import { Fold } from './fold/fold.js';
import { Progress } from './fold/progress.js';
import { LoggedCounts } from './rollup/logged-counts.js';
import { DirtyBuckets } from './rollup/marks.js';
import { RolledValuesRepository } from './rollup/rolled-values.repository.js';
import { RollUps } from './rollup/roll-ups.js';
import { TierDocumentsRepository } from './tiers/tier-documents.repository.js';
import { VitalsDaysRepository } from './vitals/vitals-days.repository.js';
import { VitalsHistory } from './vitals/vitals-history.js';

const PROVIDERS: Provider[] = [
  RangedCollections,
  Buckets,
  LiveCounts,
  Preallocation,
  Progress,
  Fold,
  DirtyBuckets,
  LoggedCounts,
  RolledValuesRepository,
  RollUps,
  TierDocumentsRepository,
  TierComparison,
  TagComparison,
  Comparison,
  Rebuild,
  FleetCharts,
  LiveCharts,
  VitalsDaysRepository,
  VitalsHistory,
  VitalsCharts,
  HeatMaps,
];

/** The bucket documents behind the charts, on the connection of PersistenceModule. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class TimeseriesModule {}
