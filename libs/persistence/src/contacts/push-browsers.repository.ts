import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { versionOf } from '../database/version.js';
import { browsersOf, type ContactDetails, type PushBrowser } from './addresses.js';
import { type Contact, contactDetailsOf } from './contact.schema.js';
import { ContactsRepository } from './contacts.repository.js';

/** Browsers of one person. */
export const MOST_BROWSERS = 5;

/** How often a change is made again that another change came before. */
const TRIES = 5;

/** The browsers that show messages for the persons of contacts. */
@Injectable()
export class PushBrowsersRepository {
  constructor(private readonly contacts: ContactsRepository) {}

  /**
   * Adds a browser, or replaces what is known of it. One that no longer counts makes room, as do all that refuse messages.
   *
   * @returns `full` if the person has {@link MOST_BROWSERS} others; `no_person` if the contact has no such person
   */
  async add(
    userId: string,
    recipient: string,
    browser: PushBrowser,
  ): Promise<'added' | 'full' | 'no_person'> {
    const changed = await this.change(userId, recipient, (details) => {
      const isRefused = details.refused?.push !== undefined;
      const known = isRefused ? [] : browsersOf(details);
      const others = known.filter(({ endpoint }) => endpoint !== browser.endpoint);
      if (others.length >= MOST_BROWSERS) return 'full';
      if (known.length === 0) {
        details.push = randomBytes(16).toString('hex');
        details.push_since = browser.since;
      }
      details.push_browsers = [...others, browser];
      delete details.refused?.push;
      return 'added';
    });
    return changed ?? 'no_person';
  }

  /** Removes a browser that refuses messages, unless it is the last one: that one shows that the address is refused. */
  async removeRefused(userId: string, recipient: string, endpoints: readonly string[]): Promise<void> {
    await this.change(userId, recipient, (details) => {
      const left = browsersOf(details).filter(({ endpoint }) => !endpoints.includes(endpoint));
      if (left.length > 0) details.push_browsers = left;
      return left.length > 0 ? 'removed' : 'left';
    });
  }

  /** @returns what the change says; undefined if there is no such person */
  private async change<R extends string>(
    userId: string,
    recipient: string,
    change: (details: ContactDetails) => R,
  ): Promise<R | undefined> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const contact = await this.contacts.findByUser(userId);
      const details = contactDetailsOf(recipient, contact ?? undefined);
      if (!contact || !details) return undefined;
      const before = versionOf(contact);
      const result = change(details);
      if (result === 'full' || result === 'left') return result;
      if (await this.contacts.put(contact as Contact, [before])) return result;
    }
    throw new Error('the contact changes all the time');
  }
}
