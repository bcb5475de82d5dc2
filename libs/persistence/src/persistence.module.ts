import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { AlertDuesRepository } from './alerts/alert-dues.repository.js';
import { AlertsRepository } from './alerts/alerts.repository.js';
import { Alert, AlertSchema } from './alerts/alert.schema.js';
import { ApiKey, ApiKeySchema } from './api-keys/api-key.schema.js';
import { ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { BottleAction, BottleActionSchema } from './bottle-actions/bottle-action.schema.js';
import { BottleActionsRepository } from './bottle-actions/bottle-actions.repository.js';
import { BottleHeartbeat, BottleHeartbeatSchema } from './bottle-heartbeats/bottle-heartbeat.schema.js';
import { BottleHeartbeatsRepository } from './bottle-heartbeats/bottle-heartbeats.repository.js';
import { BottleState, BottleStateSchema } from './bottle-states/bottle-state.schema.js';
import { BottleStatesRepository } from './bottle-states/bottle-states.repository.js';
import { DeadlinesRepository } from './bottle-states/deadlines.repository.js';
import { Bottle, BottleSchema } from './bottles/bottle.schema.js';
import { BottlesRepository } from './bottles/bottles.repository.js';
import { Contact, ContactSchema } from './contacts/contact.schema.js';
import { ContactsRepository } from './contacts/contacts.repository.js';
import { DatabaseStatus } from './database/database-status.js';
import { Indexes, PersistenceOptions } from './database/indexes.js';
import { Delivery, DeliverySchema } from './deliveries/delivery.schema.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { DoseOutcome, DoseOutcomeSchema } from './dose-outcomes/dose-outcome.schema.js';
import { DoseOutcomesRepository } from './dose-outcomes/dose-outcomes.repository.js';
import { ListeningRepository } from './listening/listening.repository.js';
import { ListeningSpan, ListeningSpanSchema } from './listening/listening-span.schema.js';

const MODELS = [
  { name: Bottle.name, schema: BottleSchema },
  { name: BottleState.name, schema: BottleStateSchema },
  { name: BottleAction.name, schema: BottleActionSchema },
  { name: BottleHeartbeat.name, schema: BottleHeartbeatSchema },
  { name: DoseOutcome.name, schema: DoseOutcomeSchema },
  { name: Alert.name, schema: AlertSchema },
  { name: Delivery.name, schema: DeliverySchema },
  { name: ListeningSpan.name, schema: ListeningSpanSchema },
  { name: ApiKey.name, schema: ApiKeySchema },
  { name: Contact.name, schema: ContactSchema },
];

const REPOSITORIES: Provider[] = [
  BottlesRepository,
  BottleStatesRepository,
  DeadlinesRepository,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  DoseOutcomesRepository,
  AlertsRepository,
  AlertDuesRepository,
  DeliveriesRepository,
  ListeningRepository,
  ApiKeysRepository,
  ContactsRepository,
  DatabaseStatus,
];

/** The database: connection, indexes, and one repository a collection. Nothing else in the project queries. */
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
          // fail fast: the caller is told to come back
          serverSelectionTimeoutMS: 2_000,
          connectTimeoutMS: 2_000,
          heartbeatFrequencyMS: 2_000,
          retryDelay: 1_000,
          retryAttempts: 60,
          appName: 'pillwatch',
        }),
        MongooseModule.forFeature(MODELS),
      ],
      providers: [...REPOSITORIES, Indexes, { provide: PersistenceOptions, useValue: options }],
      exports: REPOSITORIES,
    };
  }
}
