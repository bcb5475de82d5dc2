import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { type Address, type EscalationTarget, groupBy, recipientOf } from '#domain';
import { newVersion } from '../database/version.js';
import type { Refusal } from './addresses.js';
import { Contact } from './contact.schema.js';

/** A person of a contact, and where their details are in it. */
type Owner = '' | 'carer.';
const OWNERS: readonly (readonly [EscalationTarget, Owner])[] = [
  ['user', ''],
  ['carer', 'carer.'],
];

/** Where in a contact an address is that a notification went to, as parts of filters. */
function ownersOf(
  { recipient, channel }: Address,
  address: string | undefined,
): { _id: string; owner: Owner; having: object }[] {
  const _id = recipient.slice(recipient.indexOf(':') + 1);
  return OWNERS.filter(([person]) => address !== undefined || recipient === recipientOf(person, _id)).map(
    ([, owner]) => ({ _id, owner, having: { [owner + channel]: address ?? true } }),
  );
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
    for (const { _id, owner, having } of ownersOf({ recipient, channel }, address)) {
      const refused = `${owner}refused.${channel}`;
      const isNew = { $eq: [{ $type: `$${refused}.at` }, 'missing'] };
      await this.contacts.updateOne(
        { _id, ...having },
        [
          {
            $set: {
              refusals_due_at: { $cond: [isNew, { $ifNull: ['$refusals_due_at', due] }, '$refusals_due_at'] },
              [refused]: {
                at: { $ifNull: [`$${refused}.at`, at] },
                last_at: at,
                by: { $literal: by },
                reply: { $literal: reply },
              },
            },
          },
        ],
        { updatePipeline: true },
      );
    }
  }

  /** A message arrived at an address: it is refused no more. */
  async heal({ recipient, channel }: Address, address: string | undefined): Promise<void> {
    for (const { _id, owner, having } of ownersOf({ recipient, channel }, address)) {
      const refused = `${owner}refused.${channel}`;
      await this.contacts.updateOne(
        { _id, ...having, [refused]: { $exists: true } },
        { $unset: { [refused]: '' } },
      );
    }
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
    return this.changeNumber(number, (owner) => ({
      filter: { [`${owner}paused.sms`]: { $exists: false } },
      update: { $set: { [`${owner}paused.sms`]: at, ...newVersion() } },
    }));
  }

  /** Messages go to a number again, also if it was refused: somebody writes from it. @returns as {@link pause} */
  resume(number: string): Promise<string[]> {
    return this.changeNumber(number, (owner) => ({
      filter: {
        $or: ['paused', 'refused'].map((health) => ({ [`${owner}${health}.sms`]: { $exists: true } })),
      },
      update: { $unset: { [`${owner}paused.sms`]: '', [`${owner}refused.sms`]: '' }, $set: newVersion() },
    }));
  }

  private async changeNumber(
    number: string,
    changeOf: (owner: Owner) => { filter: object; update: object },
  ): Promise<string[]> {
    const changed: string[] = [];
    for (const [person, owner] of OWNERS) {
      const { filter, update } = changeOf(owner);
      const having = { [`${owner}sms`]: number, ...filter };
      const found = await this.contacts.find(having, { _id: 1 }).lean<Pick<Contact, '_id'>[]>();
      for (const { _id } of found) {
        const { modifiedCount } = await this.contacts.updateOne({ _id, ...having }, update);
        if (modifiedCount > 0) changed.push(recipientOf(person, _id));
      }
    }
    return changed;
  }
}
