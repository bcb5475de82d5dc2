import { alertKind } from '../../alert-kinds/alert-kinds.js';
import { closeReasonText } from '../../alert-kinds/endings.js';
import type { AuditEntry } from '../../api/schema.js';
import { fieldName } from '../../api/field-names.js';
import type { CloseReason } from '../../api/vocabulary.js';
import { now } from '../../time/clock.js';
import { dayAndTime, VIEWER_ZONE } from '../../time/format.js';
import { outcomeText } from '../../ui/meanings.js';
import { bottleText } from '../bottle/names.js';
import { ATTESTOR_LABELS } from '../bottle/reported-text.js';
import { t, joinList } from '../../i18n/i18n.js';

/** An audited action up to its subject: `Changed e-mail of`, `Acknowledged`. */
export function actionText({ action, details = {} }: AuditEntry): string {
  if (action === 'contact.put' || action === 'bottle.change') {
    if ((details['fields'] as unknown[] | undefined)?.length === 0)
      return t('Saved the unchanged contact of');
    return t('Changed {{fields}} of', { fields: fieldsText(fieldsOf(action, details)) || t('details') });
  }
  return ACTIONS[action] ?? action.replaceAll('.', ': ').replaceAll('_', ' ');
}

/** The actions of support-api up to their subject, but for those that name the fields. */
const ACTIONS: Record<string, string> = {
  'alert.acknowledge': t('Acknowledged'),
  'alert.download': t('Downloaded'),
  'alert.list': t('Listed'),
  'alert.preview_closing': t('Previewed the closing of'),
  'alert.read': t('Viewed'),
  'audit.download': t('Downloaded'),
  'audit.list': t('Listed'),
  'bottle.download': t('Downloaded'),
  'bottle.list': t('Listed'),
  'bottle.read': t('Viewed'),
  'bottle.note': t('Added a note about'),
  'contact.read': t('Viewed the contact of'),
  'person.list': t('Searched'),
  'person.read': t('Viewed'),
  'person.download': t('Downloaded'),
  'person.export': t('Exported'),
  'person.erase': t('Erased'),
  'person.note': t('Added a note about'),
  'person.delete_note': t('Deleted a note about'),
  'dose.attest': t('Recorded a statement about a dose of'),
  'dose.withdraw_attestation': t('Withdrew a statement about a dose of'),
  'delivery.download': t('Downloaded'),
  'delivery.list': t('Listed'),
  'gateway.download': t('Downloaded the bottles of'),
  'gateway.read': t('Viewed the bottles of'),
  'request.refuse': t('Refused'),
  'session.refuse': t('Failed sign-in to'),
  'alert.assign': t('Assigned'),
  'alert.note': t('Added a note about'),
  'alert.snooze': t('Snoozed'),
  'alert.ask_for_help': t('Asked for help with'),
  'alert.withdraw_help': t('Withdrew the call for help with'),
  'alert.close': t('Closed'),
  'alert.resolve': t('Resolved'),
  'alert.confirm': t('Confirmed'),
  'alert.dismiss': t('Dismissed'),
  'alert.withdraw': t('Withdrew the decision about'),
  'api_key.create': t('Created'),
  'api_key.delete': t('Revoked'),
  'bottle.register': t('Registered'),
  'bottle.rotate_token': t('Replaced the token of'),
  'bottle.set_schedule': t('Changed the schedule of'),
  'bottle.remove_step': t('Removed a step of the schedule of'),
  'bottle.pause': t('Paused the schedule of'),
  'bottle.end_pause': t('Ended a pause of'),
  'bottle.retire': t('Retired'),
  'bottle.store': t('Stored'),
  'bottle.assign': t('Assigned'),
  'bottle.add_period': t('Entered a period without monitoring of'),
  'bottle.change_period': t('Changed a period without monitoring of'),
  'bottle.remove_period': t('Removed a period without monitoring of'),
  'person.add_period': t('Entered a period without monitoring of'),
  'person.change_period': t('Changed a period without monitoring of'),
  'person.remove_period': t('Removed a period without monitoring of'),
  'bottle.export': t('Exported'),
  'bottle.erase': t('Erased'),
  'contact.test': t('Sent a test message to'),
  'contact.verify': t('Confirmed an address of'),
  'contact.stop': t('Stopped messages to an address of'),
  'contact.add_browser': t('Added a browser of'),
  'contact.pause': t('Paused the SMS to'),
  'contact.resume': t('Resumed the SMS to'),
  'contact.delete': t('Deleted the contact of'),
  'delivery.replay': t('Resent'),
  'delivery.send_pending': t('Sent at once'),
  'gateway.register': t('Registered'),
  'gateway.rotate_token': t('Replaced the token of'),
  'gateway.revoke': t('Revoked'),
  'gateway.assign': t('Assigned bottles to'),
  'gateway.unassign': t('Removed bottles from'),
  'setup.confirm_backup': t('Confirmed that a backup was restored, in'),
  'session.begin': t('Signed in as'),
  'session.end': t('Signed out from'),
  'session.change_password': t('Changed the password of'),
  'session.end_others': t('Ended the other sessions of'),
  'session.set_second_factor': t('Set up the second factor of'),
  'session.save_view': t('Saved a view of'),
  'session.delete_view': t('Deleted a view of'),
  'session.add_browser': t('Added a browser that shows messages to'),
  'session.remove_browser': t('Removed a browser that shows messages to'),
  'staff.reset_second_factor': t('Reset the second factor of'),
  'webhook_endpoint.create': t('Created'),
  'webhook_endpoint.change': t('Changed'),
  'webhook_endpoint.delete': t('Deleted'),
  'webhook_endpoint.rotate_secret': t('Replaced the secret of'),
  'webhook_endpoint.enable': t('Enabled'),
  'webhook_endpoint.test': t('Sent a test message to'),
  'webhook_endpoint.replay': t('Resent failed notifications to'),
  'staff.create': t('Created'),
  'staff.change': t('Changed'),
};

const SUBJECTS: Record<string, string> = {
  alert: t('alert'),
  api_key: t('API key'),
  bottle: t('bottle'),
  contact: '',
  delivery: t('notification'),
  gateway: t('gateway'),
  list: '',
  person: t('person'),
  route: '',
  staff: t('account'),
  webhook_endpoint: t('webhook endpoint'),
};

type Subject = AuditEntry['subject'];

/** A subject by what people know it by, or else by its id: `bottle Metformin (blue lid) of Anna Kowalska`. */
export function subjectText(subject: Subject): string {
  const kind = SUBJECTS[subject.kind] ?? subject.kind.replaceAll('_', ' ');
  const name = nameOf(subject) ?? subject.id;
  return kind ? `${kind} ${name}` : name;
}

/** The id of a subject of which {@link subjectText} says the name; empty of one without. */
export function namedId(subject: Subject): string {
  return nameOf(subject) === undefined ? '' : subject.id;
}

function nameOf({ medication, label, user_id, name, alert_kind }: Subject): string | undefined {
  const person = name ?? user_id;
  if (medication === undefined || person === undefined) return name;
  const bottle = bottleText({ medication, label: label ?? null });
  return alert_kind === undefined
    ? t('{{bottle}} of {{person}}', { bottle, person })
    : t('“{{alert}}”, {{bottle}} of {{person}}', { alert: alertKind(alert_kind).label, bottle, person });
}

function fieldsText(fields: readonly string[]): string {
  return joinList(fields.map(fieldName));
}

/** The fields that a request contained; the audit log keeps the values of harmless ones only. */
function fieldsOf(action: string, { fields, ...values }: Record<string, unknown>): string[] {
  const named = Array.isArray(fields) ? fields.map(String) : [];
  return action === 'bottle.change' ? [...Object.keys(values), ...named] : named;
}

/** What else the entry says: `role: support, name: Dora Diaz; set: password`. */
export function detailsText({ action, details = {} }: AuditEntry): string {
  const { fields, ...values } = details;
  const known = Object.entries(values).map(
    ([name, value]) => `${valueName(name, value)}: ${valueText(action, name, value)}`,
  );
  const named = action === 'contact.put' || action === 'bottle.change' ? [] : fieldsOf(action, { fields });
  return [...known, ...(named.length > 0 ? [t('set: {{fields}}', { fields: fieldsText(named) })] : [])].join(
    ', ',
  );
}

/** `to` is a time, or who gets something. */
function valueName(field: string, value: unknown): string {
  if (field !== 'to') return fieldName(field);
  return /^\d/.test(String(value)) ? fieldName('until') : t('sent to');
}

/** Values that the API writes as codes. */
function valueText(action: string, field: string, value: unknown): string {
  if (field === 'attested_by')
    return (ATTESTOR_LABELS as Record<string, string>)[String(value)] ?? plain(value);
  if (action === 'alert.close' && field === 'reason') return closeReasonText(value as CloseReason);
  if (field !== 'kind') return plain(value);
  return action === 'dose.attest' ? outcomeText(String(value)) : alertKind(String(value)).label;
}

function plain(value: unknown): string {
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
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
