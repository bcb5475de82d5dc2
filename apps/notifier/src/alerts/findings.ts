import type { AlertKind } from '#domain';
import type { Alert, AlertEnd, Evidence } from '#persistence';
import type { Types } from 'mongoose';

/** A condition that a check has found and confirmed. */
export interface AlertToRaise {
  bottle: { _id: Types.ObjectId; user_id: string; medication: string };
  kind: AlertKind;
  /** What of the bottle is concerned; empty unless several can be open at once. */
  subject: string;
  /** Identifies this occurrence: the same cause never makes a second alert. */
  cause: Date;
  deadline: Date;
  evidence: Evidence;
  /** Given when the condition is found only after it has ended: the alert is recorded, and its end sent. */
  end?: AlertEnd;
  /** With `end`: an alert that was raised at or before this time is found again, and does not end by it. */
  endsIfRaisedAfter?: Date;
}

/** An alert and how it ends. */
export interface AlertToEnd {
  alert: Alert;
  end: AlertEnd;
  /** The contact since which the condition is clear, if that is not the moment at which it is found. */
  clearSince?: Date | undefined;
}
