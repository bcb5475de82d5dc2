import { isCanaryUser } from '#domain';
import {
  type Bottle,
  BottlesRepository,
  BottleStatesRepository,
  type Contact,
  type ContactDetails,
  ContactsRepository,
  type EntryBottle,
  peopleOf,
  PeopleSearchRepository,
  type SearchablePerson,
} from '#persistence';
import { definedOnly } from '#platform';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

/** So many bottles of a person are in their entry. */
const MOST_BOTTLES = 20;
/** People of one write. */
const GROUP = 500;
/** Reads and writes of an entry while others change what it is made of. */
const ATTEMPTS = 10;

type Coming = Pick<Bottle, '_id' | 'user_id' | 'medication' | 'label'>;

/** What of a contact a person is found by. */
export const CONTACT_TEXTS = ['name', 'phone', 'email'] as const;

/** Keeps the entries by which people are searched for up to date. */
@Injectable()
export class PeopleIndex implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(PeopleIndex.name);
  private stopped = false;
  private building = Promise.resolve();

  constructor(
    private readonly search: PeopleSearchRepository,
    private readonly bottles: BottlesRepository,
    private readonly states: BottleStatesRepository,
    private readonly contacts: ContactsRepository,
  ) {}

  /** Records of earlier versions have no entries: they are made in the background. */
  async onApplicationBootstrap(): Promise<void> {
    if (await this.search.isBuilt()) return;
    this.building = this.build().catch((error: unknown) =>
      this.logger.warn(`search entries: ${String(error)}`),
    );
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    await this.building;
  }

  /**
   * Writes the entries of these people as they are now; a canary's user is none.
   *
   * @param coming bottles that are about to be registered: they are found as soon as they are there
   */
  async refresh(userIds: Iterable<string>, coming: readonly Coming[] = []): Promise<void> {
    const users = [...new Set(userIds)].filter((user) => !isCanaryUser(user));
    await this.search.putMedications([...new Set(coming.map(({ medication }) => medication))]);
    for (let start = 0; start < users.length; start += GROUP)
      await this.refreshGroup(users.slice(start, start + GROUP), coming);
  }

  /** Repeats it for those who have changed meanwhile: of several requests, the last to write has read what holds. */
  private async refreshGroup(users: string[], coming: readonly Coming[]): Promise<void> {
    let left = await this.read(users, coming);
    for (let attempt = 1; left.length > 0 && attempt <= ATTEMPTS; attempt += 1) {
      await this.search.put(left);
      const written = new Set(left.map((person) => JSON.stringify(person)));
      const now = await this.read(
        left.map(({ user_id }) => user_id),
        coming,
      );
      left = now.filter((person) => !written.has(JSON.stringify(person)));
    }
  }

  private async read(users: string[], coming: readonly Coming[]): Promise<SearchablePerson[]> {
    // one after the other: a registration may be a transaction
    const states = await this.states.findOfUsers(users, users.length * MOST_BOTTLES);
    const contacts = await this.contacts.findByUsers(users);
    const contactOf = new Map(contacts.map((contact) => [contact._id, contact]));
    const labels = await this.bottles.findLabels(states.map(({ _id }) => _id));
    for (const { _id, label } of coming) if (label) labels.set(_id.toHexString(), label);
    const bottles = new Map([...coming, ...states].map((bottle) => [bottle._id.toHexString(), bottle]));
    const bottlesOf = new Map<string, EntryBottle[]>(users.map((user) => [user, []]));
    for (const [id, { user_id, medication }] of bottles)
      bottlesOf.get(user_id)?.push({ id, medication, ...definedOnly({ label: labels.get(id) }) });
    return users.map((user_id) => ({
      user_id,
      texts: textsOf(contactOf.get(user_id)),
      bottles: bottlesOf.get(user_id)!.slice(0, MOST_BOTTLES),
    }));
  }

  private async build(): Promise<void> {
    let group = new Set<string>();
    for await (const page of this.bottles.pages(GROUP)) {
      if (this.stopped) return;
      await this.refresh(
        page.map(({ user_id }) => user_id),
        page,
      );
    }
    for await (const user of this.contacts.users()) {
      if (this.stopped) return;
      group.add(user);
      if (group.size < GROUP) continue;
      await this.refresh(group);
      group = new Set();
    }
    await this.refresh(group);
    await this.search.setBuilt();
  }
}

function textsOf(contact: Contact | undefined): string[] {
  const of = (details: ContactDetails): string[] => CONTACT_TEXTS.flatMap((field) => details[field] ?? []);
  return contact ? peopleOf(contact).flatMap(([, details]) => of(details)) : [];
}
