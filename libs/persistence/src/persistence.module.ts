import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { OwedNotificationsRepository } from './alerts/owed-notifications.repository.js';
import { AlertListsRepository } from './alerts/alert-lists.repository.js';
import { AlertsRepository } from './alerts/alerts.repository.js';
import { Alert, AlertSchema } from './alerts/alert.schema.js';
import {
  AttestationRecord,
  AttestationSchema,
  AttestationsRepository,
} from './attestations/attestations.repository.js';
import { AuditRepository } from './audit/audit.repository.js';
import { AuditEntry, AuditEntrySchema, AuditHead, AuditHeadSchema } from './audit/audit.schema.js';
import { FlappingAlertsRepository } from './alerts/flapping-alerts.repository.js';
import { ApiKey, ApiKeySchema, ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { BottleAction, BottleActionSchema } from './bottle-actions/bottle-action.schema.js';
import { BottleActionsRepository } from './bottle-actions/bottle-actions.repository.js';
import { BottleHeartbeat, BottleHeartbeatSchema } from './bottle-heartbeats/bottle-heartbeat.schema.js';
import { BottleHeartbeatsRepository } from './bottle-heartbeats/bottle-heartbeats.repository.js';
import { BottleLogsRepository } from './bottle-logs/bottle-logs.repository.js';
import { BOTTLE_STATE, BottleStateSchema } from './bottle-states/bottle-state.schema.js';
import { BottleStatesRepository } from './bottle-states/bottle-states.repository.js';
import { ReportProblemsRepository } from './bottle-states/report-problems.repository.js';
import { ReportedStatesRepository } from './bottle-states/reported-states.repository.js';
import { FirstContactsRepository } from './bottle-logs/first-contacts.repository.js';
import { DeadlinesRepository } from './bottle-states/deadlines.repository.js';
import { NextDosesRepository } from './bottle-states/next-doses.repository.js';
import { Bottle, BottleSchema } from './bottles/bottle.schema.js';
import { BottlesRepository } from './bottles/bottles.repository.js';
import { RegistrationsRepository } from './bottles/registrations.repository.js';
import { ChangedBottlesRepository } from './bottles/changed-bottles.repository.js';
import { GatewayBottlesRepository } from './bottles/gateway-bottles.repository.js';
import { ChangesRepository } from './changes/changes.repository.js';
import { Contact, ContactSchema, ContactsRepository } from './contacts/contacts.repository.js';
import { CONNECTION_TYPE } from './database/driver-connection.js';
import { DatabaseStatus } from './database/database-status.js';
import { Indexes, PersistenceOptions } from './database/indexes.js';
import { fetchInOneBatch } from './database/collection-options.js';
import { COMMAND_LIMIT_MS, CONNECTION_LIMIT_MS } from './database/time-limits.js';
import { Delivery, DeliverySchema } from './deliveries/delivery.schema.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { DeliveryListsRepository } from './deliveries/delivery-lists.repository.js';
import { OutboxRepository } from './deliveries/outbox.repository.js';
import { ReceiversRepository } from './deliveries/receivers.repository.js';
import {
  DoseOutcome,
  DoseOutcomeSchema,
  DoseOutcomesRepository,
} from './dose-outcomes/dose-outcomes.repository.js';
import { Erasure, ErasureSchema, ErasuresRepository } from './erasures/erasures.repository.js';
import { Gateway, GatewaySchema, GatewaysRepository } from './gateways/gateways.repository.js';
import {
  CheckSpan,
  CheckSpanSchema,
  CoverageRepository,
  CoverageSpan,
  CoverageSpanSchema,
} from './coverage/coverage.repository.js';
import {
  CoverageGapsRepository,
  RecordedGap,
  RecordedGapSchema,
} from './coverage/coverage-gaps.repository.js';
import { CanariesRepository } from './canaries/canaries.repository.js';
import { Note, NoteSchema, NotesRepository } from './notes/notes.repository.js';
import { Migrations } from './migrations/migrations.js';
import { PeopleRepository, Person, PersonSchema } from './people/people.repository.js';
import {
  IdempotentRequest,
  IdempotentRequestSchema,
  IdempotentRequestsRepository,
} from './idempotent-requests/idempotent-requests.repository.js';
import {
  PillWeightsRepository,
  PillWeights,
  PillWeightsSchema,
} from './pill-weights/pill-weights.repository.js';
import { PeopleSearchRepository, SearchEntry, SearchEntrySchema } from './search/people-search.repository.js';
import {
  SearchRepository,
  BottleSearchTerm,
  BottleSearchTermSchema,
  MedicationSearchTerm,
  MedicationSearchTermSchema,
} from './search/search.repository.js';
import {
  SignInAttemptsRepository,
  SignInAttempts,
  SignInAttemptsSchema,
} from './staff/sign-in-attempts.repository.js';
import { StaffAccount, StaffAccountSchema, StaffRepository } from './staff/staff.repository.js';
import {
  StaffSession,
  StaffSessionSchema,
  StaffSessionsRepository,
} from './staff/staff-sessions.repository.js';
import {
  ReconcileRun,
  ReconcileRunSchema,
  ReconcileRunsRepository,
} from './reconcile-runs/reconcile-runs.repository.js';

const MODELS = [
  { name: Bottle.name, schema: BottleSchema },
  { name: BOTTLE_STATE, schema: BottleStateSchema },
  { name: BottleAction.name, schema: BottleActionSchema },
  { name: BottleHeartbeat.name, schema: BottleHeartbeatSchema },
  { name: DoseOutcome.name, schema: DoseOutcomeSchema },
  { name: AttestationRecord.name, schema: AttestationSchema },
  { name: Alert.name, schema: AlertSchema },
  { name: Delivery.name, schema: DeliverySchema },
  { name: CoverageSpan.name, schema: CoverageSpanSchema },
  { name: CheckSpan.name, schema: CheckSpanSchema },
  { name: RecordedGap.name, schema: RecordedGapSchema },
  { name: ApiKey.name, schema: ApiKeySchema },
  { name: Gateway.name, schema: GatewaySchema },
  { name: Contact.name, schema: ContactSchema },
  { name: Note.name, schema: NoteSchema },
  { name: PillWeights.name, schema: PillWeightsSchema },
  { name: StaffAccount.name, schema: StaffAccountSchema },
  { name: StaffSession.name, schema: StaffSessionSchema },
  { name: SignInAttempts.name, schema: SignInAttemptsSchema },
  { name: BottleSearchTerm.name, schema: BottleSearchTermSchema },
  { name: MedicationSearchTerm.name, schema: MedicationSearchTermSchema },
  { name: SearchEntry.name, schema: SearchEntrySchema },
  { name: AuditEntry.name, schema: AuditEntrySchema },
  { name: AuditHead.name, schema: AuditHeadSchema },
  { name: Person.name, schema: PersonSchema },
  { name: Erasure.name, schema: ErasureSchema },
  { name: IdempotentRequest.name, schema: IdempotentRequestSchema },
  { name: ReconcileRun.name, schema: ReconcileRunSchema },
];

const REPOSITORIES: Provider[] = [
  BottlesRepository,
  CanariesRepository,
  RegistrationsRepository,
  ChangedBottlesRepository,
  GatewayBottlesRepository,
  BottleStatesRepository,
  ReportedStatesRepository,
  ReportProblemsRepository,
  DeadlinesRepository,
  FirstContactsRepository,
  NextDosesRepository,
  BottleActionsRepository,
  BottleHeartbeatsRepository,
  BottleLogsRepository,
  DoseOutcomesRepository,
  AttestationsRepository,
  AlertsRepository,
  AlertListsRepository,
  OwedNotificationsRepository,
  FlappingAlertsRepository,
  DeliveriesRepository,
  DeliveryListsRepository,
  OutboxRepository,
  ReceiversRepository,
  CoverageRepository,
  CoverageGapsRepository,
  ReconcileRunsRepository,
  ApiKeysRepository,
  GatewaysRepository,
  ContactsRepository,
  NotesRepository,
  PillWeightsRepository,
  StaffRepository,
  StaffSessionsRepository,
  SignInAttemptsRepository,
  AuditRepository,
  PeopleRepository,
  ErasuresRepository,
  SearchRepository,
  PeopleSearchRepository,
  IdempotentRequestsRepository,
  ChangesRepository,
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
      providers: [...REPOSITORIES, Migrations, Indexes, { provide: PersistenceOptions, useValue: options }],
      exports: REPOSITORIES,
    };
  }
}
