import {
  alertsOf,
  findChangedParts,
  findReminders,
  findRemindersOver,
  firstReminder,
  nextReminderAt,
  nextSlotAfter,
  ownedSince,
} from '#domain';
import { type Alert, AlertsRepository } from '#persistence';
import { Injectable } from '@nestjs/common';
import { Recipients } from '../../delivery/recipients.js';
import type { DoseFinding, DoseKind, JudgedBottle } from '../../doses/dose-kind.js';

/** By user: when they are first reminded of a dose, from its time. Who is not reminded is in none. Milliseconds. */
type FirstReminders = ReadonlyMap<string, number>;

/** Reminds users of doses that are not taken: from the first reminder of their escalation policy until the dose is late. */
@Injectable()
export class DoseReminderKind implements DoseKind<FirstReminders> {
  constructor(
    private readonly storedAlerts: AlertsRepository,
    private readonly recipients: Recipients,
  ) {}

  async prepare(bottles: readonly JudgedBottle[]): Promise<FirstReminders> {
    const contacts = await this.recipients.contactsOf(bottles.map(({ bottle }) => bottle.user_id));
    return new Map(
      [...contacts].flatMap(([user, { escalation }]) => {
        const first = firstReminder(escalation);
        return first === undefined ? [] : [[user, first]];
      }),
    );
  }

  judge(one: JudgedBottle, firsts: FirstReminders, now: Date): DoseFinding {
    const { bottle, stated, statements } = one;
    const owned = ownedSince(bottle);
    // nobody is reminded of a dose of whoever had the bottle before
    const unsettled = one.unsettled.filter(({ slot }) => slot.scheduled_at >= owned);
    const open = remindersOf(one);
    const end = findRemindersOver(bottle, open, stated, statements.reports, now);
    const first = firsts.get(bottle.user_id);
    if (first === undefined) return { end };
    const check_at = nextReminderAt(timesOf(one, now), first, now);
    return {
      raise: findReminders(bottle, unsettled, open, first, now),
      end,
      ...(check_at && { state: { check_at } }),
    };
  }

  async record(bottles: readonly JudgedBottle[]): Promise<void> {
    await this.storedAlerts.recordLearned(
      bottles.flatMap((one) => findChangedParts(remindersOf(one), one.judged.slots)),
    );
  }
}

const remindersOf = ({ open }: JudgedBottle): Alert<'dose_reminder'>[] => alertsOf(open, 'dose_reminder');

/** When the doses are due of which the user may have to be reminded, and the first that is not judged yet. */
function timesOf({ bottle, judged, unsettled }: JudgedBottle, now: Date): Date[] {
  const pending = unsettled.filter(({ phase }) => phase === 'pending').map(({ slot }) => slot.scheduled_at);
  const last = judged.slots.at(-1)?.slot.scheduled_at;
  const next = nextSlotAfter(bottle.schedule_versions, bottle.pauses, last && last > now ? last : now);
  return [...pending, ...(next ? [next.scheduled_at] : [])];
}
