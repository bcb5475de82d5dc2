import { personIn, USER } from '#domain';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { randomBytes } from 'node:crypto';
import { hasVersion, newVersion, versionOf } from '../database/version.js';
import { browsersOf, type ContactDetails, type PushBrowser } from './addresses.js';
import { contactDetailsOf } from './carers.js';
import { Contact } from './contact.schema.js';
import { placeOf } from './places.js';

/** Browsers of one person. */
export const MOST_BROWSERS = 5;

/** How often a change is tried again before which another came. */
const TRIES = 5;

type Changed = Partial<Pick<ContactDetails, 'push' | 'push_since' | 'push_browsers'>>;

/** The browsers that show messages for the persons of contacts. */
@Injectable()
export class PushBrowsersRepository {
  constructor(@InjectModel(Contact.name) private readonly contacts: Model<Contact>) {}

  /**
   * Adds a browser, or replaces what is known of it. Those that do not count any more make room, as do all once none of
   * them takes messages.
   *
   * @returns `full` if the person has {@link MOST_BROWSERS} others; `no_person` if the contact has no such person
   */
  async add(
    userId: string,
    recipient: string,
    browser: PushBrowser,
  ): Promise<'added' | 'full' | 'no_person'> {
    const isAdded = await this.change(userId, recipient, (details) => {
      const known = details.refused?.push ? [] : browsersOf(details);
      const others = known.filter(({ endpoint }) => endpoint !== browser.endpoint);
      if (others.length >= MOST_BROWSERS) return undefined;
      return {
        ...(known.length === 0 && { push: randomBytes(16).toString('hex'), push_since: browser.since }),
        push_browsers: [...others, browser],
      };
    });
    if (isAdded === undefined) return 'no_person';
    return isAdded ? 'added' : 'full';
  }

  /** Removes browsers that refuse messages, unless they are all: then the address is refused, and shown as such. */
  async removeRefused(userId: string, recipient: string, endpoints: readonly string[]): Promise<void> {
    await this.change(userId, recipient, (details) => {
      const left = browsersOf(details).filter(({ endpoint }) => !endpoints.includes(endpoint));
      return left.length > 0 ? { push_browsers: left } : undefined;
    });
  }

  /**
   * @param change what to change; undefined for nothing
   * @returns whether it was changed; undefined if there is no such person
   */
  private async change(
    userId: string,
    recipient: string,
    change: (details: ContactDetails) => Changed | undefined,
  ): Promise<boolean | undefined> {
    const { place, which } = placeOf(personIn(recipient) ?? USER);
    const { path } = place;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const contact = await this.contacts.findById(userId).lean<Contact>();
      const details = contactDetailsOf(recipient, contact ?? undefined);
      if (!contact || !details) return undefined;
      const changed = change(details);
      if (!changed) return false;
      const fields = Object.entries(changed).map(([field, value]) => [path + field, value] as const);
      const { modifiedCount } = await this.contacts.updateOne(
        { _id: userId, ...hasVersion([versionOf(contact)]) },
        {
          $set: { ...Object.fromEntries(fields), ...newVersion() },
          $unset: { [`${path}refused.push`]: '' },
        },
        place.of(which),
      );
      if (modifiedCount > 0) return true;
    }
    throw new Error('the contact changes all the time');
  }
}
