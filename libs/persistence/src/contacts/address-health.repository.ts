import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { type Address, groupBy, personIn, recipientOf, userIn } from '#domain';
import { newVersion } from '../database/version.js';
import type { Refusal } from './addresses.js';
import { peopleOf } from './carers.js';
import { Contact } from './contact.schema.js';
import { type Place, placeOf, PLACES } from './places.js';

/** Where in a contact an address is that a notification went to, and the fields of whoever has it. */
function whereIs(
  { recipient, channel }: Address,
  address: string | undefined,
): { place: Place; whose: Record<string, unknown> }[] {
  if (address !== undefined) return PLACES.map((place) => ({ place, whose: { [channel]: address } }));
  const person = personIn(recipient);
  if (person === undefined) return [];
  const { place, which } = placeOf(person);
  return [{ place, whose: { ...which, [channel]: true } }];
}

/** Which addresses of contacts refuse messages, and to which numbers nothing goes because somebody wrote STOP. */
@Injectable()
export class AddressHealthRepository {
  constructor(@InjectModel(Contact.name) private readonly contacts: Model<Contact>) {}

  /**
   * Notes that an address took nothing, for whoever of the contact has it; the webhook for one person.
   *
   * @param address undefined of the webhook.
   * @param due when the operator is notified, if that is new.
   */
  async noteRefused(
    { recipient, channel }: Address,
    address: string | undefined,
    { at, by, reply }: Pick<Refusal, 'at' | 'by' | 'reply'>,
    due: Date,
  ): Promise<void> {
    for (const { place, whose } of whereIs({ recipient, channel }, address)) {
      const refused = `${place.path}refused.${channel}`;
      const again = { ...whose, [`refused.${channel}`]: { $exists: true } };
      const update = { [`${refused}.last_at`]: at, [`${refused}.by`]: by, [`${refused}.reply`]: reply };
      await this.update(recipient, place, again, { $set: update });
      const first = { ...whose, [`refused.${channel}`]: { $exists: false } };
      await this.update(recipient, place, first, {
        $set: { [refused]: { at, last_at: at, by, reply } },
        $min: { refusals_due_at: due },
      });
    }
  }

  /** A message arrived at an address: it is refused no more. */
  async heal({ recipient, channel }: Address, address: string | undefined): Promise<void> {
    for (const { place, whose } of whereIs({ recipient, channel }, address)) {
      const refused = { ...whose, [`refused.${channel}`]: { $exists: true } };
      await this.update(recipient, place, refused, { $unset: { [`${place.path}refused.${channel}`]: '' } });
    }
  }

  /** Changes those at a place of the recipient's contact who have these fields. */
  private async update(recipient: string, place: Place, fields: object, update: object): Promise<void> {
    await this.contacts.updateOne(
      { _id: userIn(recipient), ...place.having({ ...fields }) },
      update,
      place.of({ ...fields }),
    );
  }

  /** The contacts with refused addresses of which the operator is to be notified, longest due first. */
  findRefusalsDue(now: Date, limit: number): Promise<Contact[]> {
    return this.contacts
      .find({ refusals_due_at: { $lte: now } })
      .hint('refusals_due')
      .sort({ refusals_due_at: 1 })
      .limit(limit)
      .lean<Contact[]>();
  }

  /** The operator was notified of these. */
  async endRefusalsDue(contacts: readonly Contact[]): Promise<void> {
    const groups = groupBy(contacts, ({ refusals_due_at }) => refusals_due_at!.getTime());
    for (const [due, group] of groups)
      await this.contacts.updateMany(
        { _id: { $in: group.map(({ _id }) => _id) }, refusals_due_at: new Date(due) },
        { $unset: { refusals_due_at: '' } },
      );
  }

  /** Nothing goes to a number any more. @returns the recipients whose it is and to whom something went, `user:ID` */
  pause(number: string, at: Date): Promise<string[]> {
    return this.changeNumber(number, { 'paused.sms': { $exists: false } }, (path) => ({
      $set: { [`${path}paused.sms`]: at, ...newVersion() },
    }));
  }

  /** Since when a number is paused, by the contacts that have it; undefined if it is not. */
  async pausedSince(number: string): Promise<Date | undefined> {
    const having = { sms: number, 'paused.sms': { $exists: true } };
    for (const { indexed, having: havingThere } of PLACES) {
      const contact = await this.contacts
        .findOne({ [`${indexed}sms`]: number, ...havingThere(having) })
        .lean<Contact>();
      const owner = contact && peopleOf(contact).find(([, { sms, paused }]) => sms === number && paused?.sms);
      if (owner) return owner[1].paused!.sms;
    }
    return undefined;
  }

  /** Messages go to a number again, also if it was refused: somebody writes from it. @returns as {@link pause} */
  async resume(number: string): Promise<string[]> {
    const changed: string[] = [];
    for (const health of ['paused.sms', 'refused.sms'])
      changed.push(
        ...(await this.changeNumber(number, { [health]: { $exists: true } }, (path) => ({
          $unset: { [path + health]: '' },
          $set: newVersion(),
        }))),
      );
    return [...new Set(changed)];
  }

  private async changeNumber(
    number: string,
    fields: object,
    updateOf: (path: string) => object,
  ): Promise<string[]> {
    const changed: string[] = [];
    const having = { sms: number, ...fields };
    for (const place of PLACES) {
      const contacts = await this.contacts
        .find({ [`${place.indexed}sms`]: number, ...place.having(having) })
        .lean<Contact[]>();
      for (const contact of contacts) {
        const { _id } = contact;
        const filter = { _id, ...place.having(having) };
        const { modifiedCount } = await this.contacts.updateOne(
          filter,
          updateOf(place.path),
          place.of(having),
        );
        if (modifiedCount === 0) continue;
        const people = peopleOf(contact).filter(
          ([person, { sms }]) => sms === number && placeOf(person).place === place,
        );
        changed.push(...people.map(([person]) => recipientOf(person, _id)));
      }
    }
    return changed;
  }
}
