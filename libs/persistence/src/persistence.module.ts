import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { fetchInOneBatch } from './database/collection-options.js';
import { DatabaseStatus } from './database/database-status.js';
import { CONNECTION_TYPE } from './database/driver-connection.js';
import { Indexes, PersistenceOptions } from './database/indexes.js';
import { COMMAND_LIMIT_MS, CONNECTION_LIMIT_MS } from './database/time-limits.js';
import { Migrations } from './migrations/migrations.js';
import * as stored from './repositories.js';

const MODELS = [
  { name: stored.Bottle.name, schema: stored.BottleSchema },
  { name: stored.BOTTLE_STATE, schema: stored.BottleStateSchema },
  { name: stored.BottleAction.name, schema: stored.BottleActionSchema },
  { name: stored.BottleHeartbeat.name, schema: stored.BottleHeartbeatSchema },
  { name: stored.DoseOutcome.name, schema: stored.DoseOutcomeSchema },
  { name: stored.AttestationRecord.name, schema: stored.AttestationSchema },
  { name: stored.ALERT, schema: stored.AlertSchema },
  { name: stored.Delivery.name, schema: stored.DeliverySchema },
  { name: stored.CoverageSpan.name, schema: stored.CoverageSpanSchema },
  { name: stored.CheckSpan.name, schema: stored.CheckSpanSchema },
  { name: stored.RecordedGap.name, schema: stored.RecordedGapSchema },
  { name: stored.ApiKey.name, schema: stored.ApiKeySchema },
  { name: stored.Gateway.name, schema: stored.GatewaySchema },
  { name: stored.Contact.name, schema: stored.ContactSchema },
  { name: stored.Note.name, schema: stored.NoteSchema },
  { name: stored.PillWeights.name, schema: stored.PillWeightsSchema },
  { name: stored.StaffAccount.name, schema: stored.StaffAccountSchema },
  { name: stored.StaffSession.name, schema: stored.StaffSessionSchema },
  { name: stored.SignInAttempts.name, schema: stored.SignInAttemptsSchema },
  { name: stored.BottleSearchTerm.name, schema: stored.BottleSearchTermSchema },
  { name: stored.MedicationSearchTerm.name, schema: stored.MedicationSearchTermSchema },
  { name: stored.SearchEntry.name, schema: stored.SearchEntrySchema },
  { name: stored.AuditEntry.name, schema: stored.AuditEntrySchema },
  { name: stored.AuditHead.name, schema: stored.AuditHeadSchema },
  { name: stored.Person.name, schema: stored.PersonSchema },
  { name: stored.Erasure.name, schema: stored.ErasureSchema },
  { name: stored.IdempotentRequest.name, schema: stored.IdempotentRequestSchema },
  { name: stored.ReconcileRun.name, schema: stored.ReconcileRunSchema },
  { name: stored.WebhookEndpoint.name, schema: stored.WebhookEndpointSchema },
];

const REPOSITORIES = Object.values(stored).filter(isRepository);
const PROVIDERS = [...REPOSITORIES, DatabaseStatus];

function isRepository(exported: unknown): exported is Type {
  return typeof exported === 'function' && exported.name.endsWith('Repository');
}

/** The database: connection, indexes and repositories. Only the charts have queries of their own, in libs/timeseries. */
@Module({})
export class PersistenceModule {
  /**
   * @param uri the database, as MONGODB_URI has it.
   * @param options see {@link PersistenceOptions}.
   */
  static forRoot(uri: string, options: PersistenceOptions): DynamicModule {
    return {
      module: PersistenceModule,
      global: true,
      imports: [
        MongooseModule.forRoot(uri, {
          autoIndex: false,
          autoCreate: false,
          bufferCommands: false,
          // a report is acknowledged only when a majority has it on disk
          writeConcern: { w: 'majority', journal: true, wtimeoutMS: 5_000 },
          // fail fast: the caller gets 503 and retries
          serverSelectionTimeoutMS: 2_000,
          connectTimeoutMS: 2_000,
          socketTimeoutMS: COMMAND_LIMIT_MS,
          waitQueueTimeoutMS: CONNECTION_LIMIT_MS,
          heartbeatFrequencyMS: 2_000,
          retryDelay: 1_000,
          retryAttempts: 60,
          appName: 'pillwatch',
          ...CONNECTION_TYPE,
          connectionFactory: (connection: Connection) => connection.plugin(fetchInOneBatch),
        }),
        MongooseModule.forFeature(MODELS),
      ],
      providers: [...PROVIDERS, Migrations, Indexes, { provide: PersistenceOptions, useValue: options }],
      exports: PROVIDERS,
    };
  }
}
