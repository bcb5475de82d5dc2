import type { AuditEntry } from '../../api/types.js';
import { now } from '../../time/clock.js';
import { dayAndTime, VIEWER_ZONE } from '../../time/format.js';
import { joinList } from '../../ui/text.js';

/** An audited action up to its subject: `Changed e-mail of`, `Acknowledged`. */
export function actionText({ action, details = {} }: AuditEntry): string {
  if (action === 'contact.put' || action === 'bottle.change') {
    return `Changed ${fieldsText(fieldsOf(action, details)) || 'details'} of`;
  }
  return ACTIONS[action] ?? action.replaceAll('.', ': ').replaceAll('_', ' ');
}

const ACTIONS: Record<string, string> = {
  'alert.acknowledge': 'Acknowledged',
  'alert.download': 'Downloaded',
  'alert.list': 'Listed',
  'alert.read': 'Viewed',
  'audit.download': 'Downloaded',
  'audit.list': 'Listed',
  'bottle.download': 'Downloaded',
  'bottle.list': 'Listed',
  'bottle.read': 'Viewed',
  'contact.read': 'Viewed the contact of',
  'delivery.download': 'Downloaded',
  'delivery.list': 'Listed',
  'gateway.download': 'Downloaded the bottles of',
  'gateway.read': 'Viewed the bottles of',
  'request.refuse': 'Refused',
  'session.refuse': 'Failed sign-in to',
  'alert.snooze': 'Snoozed',
  'alert.close': 'Closed',
  'alert.resolve': 'Resolved',
  'alert.confirm': 'Confirmed',
  'alert.dismiss': 'Dismissed',
  'alert.withdraw': 'Withdrew the decision about',
  'api_key.create': 'Created',
  'api_key.delete': 'Revoked',
  'bottle.register': 'Registered',
  'bottle.rotate_token': 'Replaced the token of',
  'bottle.set_schedule': 'Changed the schedule of',
  'bottle.pause': 'Paused the schedule of',
  'bottle.end_pause': 'Ended a pause of',
  'bottle.export': 'Exported',
  'bottle.erase': 'Erased',
  'contact.delete': 'Deleted the contact of',
  'delivery.replay': 'Resent',
  'delivery.send_pending': 'Sent at once',
  'gateway.register': 'Registered',
  'gateway.rotate_token': 'Replaced the token of',
  'gateway.revoke': 'Revoked',
  'gateway.assign': 'Assigned bottles to',
  'gateway.unassign': 'Removed bottles from',
  'session.begin': 'Signed in as',
  'session.end': 'Signed out from',
  'session.change_password': 'Changed the password of',
  'session.set_second_factor': 'Set up the second factor of',
  'staff.reset_second_factor': 'Reset the second factor of',
  'staff.create': 'Created',
  'staff.change': 'Changed',
};

const SUBJECTS: Record<string, string> = {
  api_key: 'API key ',
  contact: '',
  delivery: 'notification ',
  list: '',
  route: '',
  staff: 'account ',
};

/** The prefix of a subject's id: `bottle `; none for a user. */
export function subjectKindText(kind: string): string {
  return SUBJECTS[kind] ?? `${kind.replaceAll('_', ' ')} `;
}

const FIELDS: Record<string, string> = {
  email: 'e-mail',
  user_id: 'user ID',
  quiet_hours: 'quiet hours',
  time_zone: 'time zone',
  number_of_pills: 'number of pills',
  disabled: 'deactivated',
};

function fieldsText(fields: readonly string[]): string {
  return joinList(fields.map((field) => FIELDS[field] ?? field.replaceAll('_', ' ')));
}

/** The fields that a request contained; the audit log keeps the values of harmless ones only. */
function fieldsOf(action: string, { fields, ...values }: Record<string, unknown>): string[] {
  const named = Array.isArray(fields) ? fields.map(String) : [];
  return action === 'bottle.change' ? [...Object.keys(values), ...named] : named;
}

/** What else the entry says: `role: support, name: Dora Diaz; set: password`. */
export function detailsText({ action, details = {} }: AuditEntry): string {
  const { fields, ...values } = details;
  const known = Object.entries(values).map(([name, value]) => `${fieldsText([name])}: ${plain(value)}`);
  const named = action === 'contact.put' || action === 'bottle.change' ? [] : fieldsOf(action, { fields });
  return [...known, ...(named.length > 0 ? [`set: ${fieldsText(named)}`] : [])].join(', ');
}

function plain(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) {
    return dayAndTime(Date.parse(value), VIEWER_ZONE, now());
  }
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return value !== null && typeof value === 'object'
    ? Object.entries(value)
        .map(([name, inner]) => `${inner} ${name}`)
        .join(', ')
    : String(value);
}
