import { t } from '../i18n/i18n.js';

/** The fields of the API's requests; one that is missing is shown as the API writes it. */
const FIELDS: Record<string, string> = {
  after: t('after'),
  alert_id: t('alert'),
  attested_by: t('reported by'),
  removed_at: t('removed at'),
  pills: t('pills'),
  pills_per_dose: t('pills per dose'),
  times: t('times'),
  days_of_week: t('days of the week'),
  days_of_month: t('days of the month'),
  cycle: t('cycle'),
  every: t('interval'),
  max_per_day: t('most doses a day'),
  min_interval: t('shortest time between doses'),
  doses: t('number of doses'),
  early_window: t('earliest'),
  late_after: t('late after'),
  missed_after: t('missed after'),
  steps: t('step'),
  note: t('note'),
  q: t('search'),
  kinds: t('kinds of alerts'),
  events: t('events'),
  paused: t('paused'),
  keep_old_for_hours: t('hours in which the old secret signs, too'),
  sms: t('SMS number'),
  next: t('new password'),
  current: t('current password'),
  code: t('code'),
  dose_times: t('times of the doses after the move'),
  bottle_id: t('bottle'),
  category: t('category'),
  channel: t('channel'),
  effective_from: t('step of'),
  expires_at: t('expires'),
  from: t('from'),
  kind: t('kind'),
  notify: t('people are notified'),
  owner_id: t('owner'),
  reason: t('reason'),
  replaces: t('replaces the step of'),
  replaces_later: t('replaces later steps'),
  scheduled_at: t('dose of'),
  staff_id: t('account'),
  state: t('state'),
  status: t('status'),
  to: t('to'),
  until: t('until'),
  email: t('e-mail'),
  email_verified: t('verification of the e-mail address'),
  user_id: t('user ID'),
  quiet_hours: t('quiet hours'),
  language: t('language of pages'),
  time_zone: t('time zone'),
  number_of_pills: t('number of pills'),
  disabled: t('deactivated'),
  carer: t('carer'),
  carers: t('carer'),
  relation: t('relation'),
  groups: t('groups'),
  in_turn: t('one after another'),
  escalation: t('escalation'),
  medication: t('medication'),
  label: t('label'),
  name: t('name'),
  password: t('password'),
  phone: t('phone'),
  plan_of: t('plan of'),
  role: t('role'),
  schedule: t('schedule'),
  webhook: t('webhook'),
};

/** What people call a field of the API: `phone of the carer`, `escalation 2, after`. */
export function fieldName(field: string): string {
  if (field.startsWith('carer.'))
    return t('{{field}} of the carer', { field: fieldName(field.slice('carer.'.length)) });
  const [, id, of] = /^carers\.([^.]+)(?:\.(.+))?$/.exec(field) ?? [];
  if (id !== undefined)
    return of === undefined
      ? t('carer {{id}}', { id })
      : t('{{field}} of the carer {{id}}', { field: fieldName(of), id });
  return field.split('.').map(partName).join(', ');
}

function partName(part: string): string {
  const [, name = part, index] = /^(.*?)(?:\[(\d+)\])?$/.exec(part) ?? [];
  const known = FIELDS[name] ?? name.replaceAll('_', ' ');
  return index === undefined ? known : `${known} ${Number(index) + 1}`;
}
