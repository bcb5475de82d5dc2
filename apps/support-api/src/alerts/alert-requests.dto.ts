import {
  ALERT_KINDS,
  ALERT_STATES,
  type AlertKind,
  type AlertState,
  CHOSEN_CLOSE_REASONS,
  type CloseReason,
} from '#domain';
import { BooleanField, EnumField, IdField, IdListField, InstantField, TextField } from '#platform';
import { PageQuery } from '../http/paging.js';

/** One page of a list: what a user can select there. */
const MAX_AT_ONCE = 200;

export const ASSIGNED = ['me', 'nobody'] as const;

export const ALERT_ORDERS = ['needs_person', 'comes_back'] as const;
export type AlertOrder = (typeof ALERT_ORDERS)[number];

export class ListAlertsQuery extends PageQuery {
  @EnumField(ALERT_STATES, { optional: true })
  state?: AlertState;

  @EnumField(ALERT_KINDS, {
    optional: true,
    description: 'Default: all but dose_reminder. Reminders of doses are no alerts that staff handle.',
  })
  kind?: AlertKind;

  @IdField({ optional: true })
  bottle_id?: string;

  @EnumField(ALERT_ORDERS, {
    optional: true,
    description:
      'Default: newest first. needs_person: open alerts that are not snoozed, the most urgent kind first, within a ' +
      'kind the oldest first. comes_back: snoozed alerts, within a kind the one whose snooze ends first. ' +
      'Both can be combined with kind, but not with state or bottle_id.',
  })
  order?: AlertOrder;

  @EnumField(ASSIGNED, {
    optional: true,
    description:
      'With the order needs_person. me: those of the caller, also acknowledged and snoozed ones. nobody: those that ' +
      'need attention and are not assigned.',
  })
  assigned?: (typeof ASSIGNED)[number];
}

export class AcknowledgeDto {
  @TextField({ optional: true, max: 1000, description: 'What is being done about it.' })
  note?: string;
}

/** Guards against undoing an action of somebody else. */
class SeenDto {
  @EnumField(['open', 'acknowledged'], {
    optional: true,
    description: 'The state in which you saw the alert. If it is another by now, the response is 409.',
  })
  seen_state?: 'open' | 'acknowledged';
}

export class SnoozeDto extends SeenDto {
  @InstantField({ description: 'No notifications before this time; at most 7 days ahead.' })
  until: string;

  @TextField({ optional: true, max: 1000 })
  note?: string;
}

export class CloseDto extends SeenDto {
  @EnumField(CHOSEN_CLOSE_REASONS)
  reason: CloseReason;

  @TextField({
    optional: true,
    max: 1000,
    description:
      'Required with the reason `other`, and then part of the message to people. With another reason only staff see it.',
  })
  note?: string;

  @BooleanField({
    optional: true,
    description:
      'Whether everyone who was notified of the alert is notified of the closing. Default: true, because they ' +
      'were notified of a problem and wait for the end of it.',
  })
  notify?: boolean;
}

export class AssignDto {
  @TextField({
    pattern: /^(me|nobody|[0-9a-f]{24})$/,
    hint: 'must be me, nobody, or the id of an account',
    description: '`me`, `nobody`, or the id of an account.',
  })
  to: string;

  @TextField({
    optional: true,
    max: 100,
    description:
      'Whom the alert was assigned to when you saw it: `me`, `nobody`, or the id in `assigned_to`. If it is assigned ' +
      'to somebody else by now, other than `to`, the response is 409.',
  })
  seen_assignee?: string;
}

export class AlertNoteDto {
  @TextField({ max: 1000, description: 'Staff read it in the history; messages do not contain it.' })
  note: string;
}

export class DecideDto {
  @TextField({ optional: true, max: 1000, description: 'The reason for the decision.' })
  note?: string;
}

const IdsField = (): PropertyDecorator => IdListField({ max: MAX_AT_ONCE, description: 'The alerts.' });

export class AcknowledgeManyDto extends AcknowledgeDto {
  @IdsField()
  ids: string[];
}

export class SnoozeManyDto extends SnoozeDto {
  @IdsField()
  ids: string[];
}

export class CloseManyDto extends CloseDto {
  @IdsField()
  ids: string[];
}

export class AssignManyDto extends AssignDto {
  @IdsField()
  ids: string[];
}
