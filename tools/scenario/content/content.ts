/** What a message says, as its receiver got it. */
export interface Content {
  /** The alert's id. */
  alert: string;
  /** The JSON body of a webhook; absent for a mail. */
  body?: WebhookBody;
  /** One message of a mail; absent for a webhook. */
  mail?: MailPart;
  sms?: SmsText;
  /** What a browser of staff shows. */
  push?: { title: string; url: string | undefined };
}

/** As long as an SMS may be: the last line is `...` if some are left out. */
export interface SmsText {
  title: string;
  lines: string[];
}

/** The body as it is documented in docs/webhooks.md; times are ISO 8601 in UTC. */
export interface WebhookBody {
  type: string;
  timestamp: string;
  data: WebhookData;
}

export interface WebhookData {
  alert_id: string;
  bottle_id: string;
  user_id: string;
  medication: string;
  kind: string;
  event: string;
  step: string;
  recipient: { role: string; user_id?: string; carer_id?: string; contact?: { name: string } };
  subject: string;
  state: string;
  deadline: string;
  raised_at: string;
  ended_at?: string;
  ended_as?: string;
  closed?: { by: string; at: string; reason: string; note?: string };
  acknowledge_url?: string;
  statement_url?: string;
  evidence: Evidence;
  doses?: Pick<
    WebhookData,
    'alert_id' | 'bottle_id' | 'user_id' | 'medication' | 'subject' | 'evidence' | 'statement_url'
  >[];
}

export type Evidence = Record<string, unknown>;

/** What a mail says of one alert, or of doses that it gathers. */
export interface MailPart {
  /** The notifications of the whole mail. */
  ids: string[];
  /** Of the whole mail. */
  subject: string;
  title: string;
  lines: string[];
  /** Of the HTML part. */
  language: string;
  /** The same as the HTML part has it. */
  html: string[];
}
