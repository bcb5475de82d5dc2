/** A scenario as it is used: the file's JSON, checked, with instants as dates and durations as milliseconds. */
export interface Scenario {
  name: string;
  start: Date;
  end: Date;
  /** Environment settings for all services. */
  settings: Record<string, string>;
  bottles: BottleSpec[];
  contacts: ContactSpec[];
  /** Receivers of webhooks beside that of the settings. */
  endpoints: EndpointSpec[];
  /** The names of browsers of staff that show what the operator is sent. */
  staffBrowsers: string[];
  /** In the order of the file. */
  events: ScenarioEvent[];
  expect: Truth;
}

/** One bottle to register; `key` is its name within the file. */
export interface BottleSpec {
  key: string;
  user_id: string;
  medication: string;
  label?: string;
  time_zone: string;
  number_of_pills?: number;
  schedule?: unknown;
  /** The key of a bottle before it in the file, for whose plan it is. */
  plan_of?: string;
  /** The name of the gateway that reports for it; without one it reports itself. */
  gateway?: string;
}

/** What an endpoint of webhooks wants; `name` is its name within the file. */
export interface EndpointSpec {
  name: string;
  kinds?: string[];
  events?: string[];
}

/** The body of `PUT /v1/contacts/:user_id`. */
export interface ContactSpec {
  user_id: string;
  body: Record<string, unknown>;
}

/** Something that happens; `at` is the server's time. */
export type ScenarioEvent = { at: Date } & (
  | { type: 'heartbeats'; bottle: string; every: number; until: Date; vitals?: Record<string, number> }
  | { type: 'report'; bottle: string; report: DeviceReport; repeat: number }
  | { type: 'staff'; action: StaffAction }
  | { type: 'press'; press: Press }
  | { type: 'contact'; contact: ContactChange }
  | { type: 'system'; change: SystemChange; afterCommands?: number }
  | { type: 'channel'; channel: ChannelName; behaviour: Behaviour }
  | { type: 'endpoint'; endpoint: string; behaviour: Behaviour }
  | { type: 'address'; address: string; takes: AddressTakes }
);

/** Somebody opens the link of the last mail about a bottle that an address got, and presses a button. */
export interface Press {
  bottle: string;
  to: string;
  /** What the button posts to: `taken`, `undo-help`; `help` stands for the press of that second. */
  button: string;
  /** When the dose is due that is answered: what later messages may say of the answer follows from it. */
  scheduled_at?: string;
}

/** What a bottle sends in one request, as JSON; its times are by the device's clock. */
export type DeviceReport =
  | { path: '/v1/actions'; body: ActionBody }
  | { path: '/v1/batch'; body: { sent_at?: string; items: BatchItem[] } };

/** An action as the file has it: what is left out is filled in. */
export interface ActionBody {
  action: 'opened' | 'closed';
  time: string;
  mass_of_contents?: number;
  number_of_pills?: number;
  pills_taken?: number;
  event_id?: string;
  sent_at?: string;
}

export type BatchItem = ({ type: 'action' } & ActionBody) | { type: 'heartbeat'; [field: string]: unknown };

/** A period without monitoring as staff enter or change it. */
export interface PeriodBody {
  reason?: string;
  from?: string;
  to?: string | null;
  note?: string;
}

export type StaffAction =
  | {
      action: 'acknowledge' | 'snooze' | 'close';
      bottle: string;
      kind: string;
      body: Record<string, unknown>;
    }
  | { action: 'attest'; bottle: string; scheduled_at: string; body: Record<string, unknown> }
  | { action: 'withdraw'; bottle: string; scheduled_at: string }
  | { action: 'schedule'; bottle: string; body: Record<string, unknown> }
  | { action: 'remove_step'; bottle: string; effective_from: string }
  | { action: 'pause'; bottle: string; from?: string; to: string }
  | {
      /** Of the bottle, or of all bottles of its user; changing and removing is of the one entered last. */
      action: 'period' | 'change_period' | 'remove_period';
      bottle: string;
      ofPerson: boolean;
      body: PeriodBody;
    }
  | {
      action: 'change';
      bottle: string;
      time_zone?: string;
      dose_times?: string;
      user_id?: string;
      /** The key of a bottle; null: it is for no other bottle's plan any more. */
      plan_of?: string | null;
    }
  | { action: 'retire'; bottle: string; body: { reason: string; note?: string } }
  | { action: 'store'; bottle: string; body: { note?: string } }
  | { action: 'assign'; bottle: string; body: { user_id: string; schedule?: unknown; note?: string } }
  | { action: 'erase'; bottle: string };

/** Staff replace or delete a user's contact; without a body it is deleted. */
export interface ContactChange {
  user_id: string;
  body?: Record<string, unknown>;
}

export const SYSTEM_CHANGES = [
  'stop-device-api',
  'start-device-api',
  'freeze-device-api',
  'thaw-device-api',
  'two-device-apis',
  'kill-notifier',
  'freeze-notifier',
  'thaw-notifiers',
  'start-notifier',
  'two-notifiers',
  'stop-database',
  'start-database',
] as const;
export type SystemChange = (typeof SYSTEM_CHANGES)[number];

/** Those whose receivers behave as the file has it. */
export const CHANNELS = ['webhook', 'email'] as const;
export type ChannelName = (typeof CHANNELS)[number];

/** Those over which messages come. */
export const RECEIVED = [...CHANNELS, 'sms', 'push'] as const;
export type ReceivedOver = (typeof RECEIVED)[number];

/**
 * How a receiver behaves: answers, answers with an error, refuses connections, or takes a message and breaks off without
 * an answer, or never answers.
 */
export const BEHAVIOURS = ['works', 'fails', 'refuses', 'times-out-after-accepting', 'hangs'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** Whether the mail server takes mails for an address, or refuses it for good. */
export const ADDRESS_TAKES = ['mails', 'none'] as const;
export type AddressTakes = (typeof ADDRESS_TAKES)[number];

/** The expected result. A field that is left out is not compared. */
export interface Truth {
  messages: ExpectedMessage[];
  /** `reported`: what people say, and whether the outcome fits it: `taken disagrees`. */
  outcomes: { bottle: string; scheduled_at: Date; outcome: string; reported?: string }[];
  /** Whether a dose of these bottles that is not in `outcomes` must have no outcome. */
  all_outcomes: boolean;
  status: { bottle: string; status: string }[];
  /** Whether any further message is a difference. */
  only: boolean;
  /** How many reports device-api refuses. Left out, a refused report is a note. */
  refused?: number;
}

export interface ExpectedMessage {
  bottle?: string;
  kind?: string;
  event?: string;
  channel?: ReceivedOver;
  /** The address of a mail, a number, the name of a browser of staff, or of an endpoint, `WEBHOOK_URL` of that of the settings. */
  to?: string;
  /** Both bounds are included. */
  after?: Date;
  before?: Date;
  says?: ExpectedContent;
}

/** What a message must say; what is left out is compared with what follows from the rest of the file. */
export interface ExpectedContent {
  user?: string;
  medication?: string;
  /** `operator`, `user`, or the id of a carer: of a webhook, as any other is to an address. */
  recipient?: string;
  /** When the doses are due that it is about. */
  doses?: Date[];
  /** Fields of the evidence as docs/webhooks.md has them; a mail has those that it tells. Times are ISO 8601 in UTC. */
  evidence?: Record<string, unknown>;
  /** By which its recipient says what became of the dose, or acknowledges. */
  link?: (typeof LINKS)[number];
  /** Of a mail or SMS. */
  title?: string;
  /** Of a mail or SMS: each of them is one of its lines. */
  lines?: string[];
}

export const LINKS = ['ask', 'acknowledge', 'none'] as const;
