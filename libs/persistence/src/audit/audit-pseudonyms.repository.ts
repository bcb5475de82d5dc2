import { personIn, recipientOf, userIn } from '#domain';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { ErasuresRepository } from '../erasures/erasures.repository.js';
import { PeopleRepository } from '../people/people.repository.js';
import type { UnchainedEntry } from './audit-chain.js';
import type { AuditEntry, Subject } from './audit.schema.js';

/** An action to record. A contact is named by its user's id, which is not stored. */
export interface NewAuditEntry extends Omit<UnchainedEntry, '_id' | 'about'> {
  /** Other subjects that it concerns. */
  also?: Subject[];
}

/** As it stands in {@link AuditEntry.about}. */
export const subjectKey = ({ kind, id }: Subject): string => `${kind}:${id}`;

/** The audit names people by pseudonyms: whoever is erased is not in it. */
@Injectable()
export class AuditPseudonymsRepository {
  constructor(
    private readonly people: PeopleRepository,
    private readonly erasures: ErasuresRepository,
  ) {}

  /** Replaces user ids by pseudonyms, and notes who is behind them. */
  async hide({ also = [], ...entry }: NewAuditEntry): Promise<UnchainedEntry> {
    const pseudonymOf = async (userId: string): Promise<string> => {
      const pseudonym = await this.people.pseudonymOf(userId);
      if (!(await this.erasures.existsSince(pseudonym, entry.at)))
        await this.people.remember(pseudonym, userId);
      return pseudonym;
    };
    const hidden = async (subject: Subject): Promise<Subject> =>
      subject.kind === 'contact' ? { kind: 'contact', id: await pseudonymOf(subject.id) } : subject;
    const [subject, ...others] = await Promise.all([entry.subject, ...also].map(hidden));
    const who = { ...entry.who };
    const [person, userId] = who.kind === 'link' ? [personIn(who.id), userIn(who.id)] : [];
    if (person !== undefined && userId) who.id = who.name = recipientOf(person, await pseudonymOf(userId));
    return {
      _id: new Types.ObjectId(),
      ...entry,
      who,
      subject: subject!,
      about: [...new Set([subject!, ...others].map(subjectKey))],
    };
  }

  /** The subject as entries have it. */
  async find(subject: Subject): Promise<Subject> {
    return subject.kind === 'contact'
      ? { ...subject, id: await this.people.pseudonymOf(subject.id) }
      : subject;
  }

  /** Replaces pseudonyms by the user ids of people who are not erased. */
  async resolve(entries: AuditEntry[]): Promise<AuditEntry[]> {
    const pseudonymIn = (text: string): string | undefined => /person-[0-9a-f]{32}$/.exec(text)?.[0];
    const texts = entries.flatMap(({ who, subject }) => [who.id, subject.id]);
    const known = await this.people.findUserIds([
      ...new Set(texts.flatMap((text) => pseudonymIn(text) ?? [])),
    ]);
    const name = (text: string): string => {
      const pseudonym = pseudonymIn(text);
      const userId = pseudonym === undefined ? undefined : known.get(pseudonym);
      return userId === undefined ? text : text.slice(0, -pseudonym!.length) + userId;
    };
    return entries.map((entry) => ({
      ...entry,
      who: { ...entry.who, id: name(entry.who.id), name: name(entry.who.name) },
      subject: { ...entry.subject, id: name(entry.subject.id) },
    }));
  }
}
