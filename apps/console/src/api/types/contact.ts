export interface QuietHours {
  from: string;
  to: string;
}

export interface Reach {
  webhook?: boolean;
  email?: string;
  time_zone?: string;
  quiet_hours?: QuietHours;
}

export interface EscalationStep {
  after: string;
  to: 'user' | 'carer';
  until?: 'acknowledged';
  repeat?: string;
  kinds?: string[];
}

export interface Contact extends Reach {
  carer?: Reach;
  escalation?: EscalationStep[];
}
