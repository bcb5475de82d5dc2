import {
  type BottleState,
  BottleStatesRepository,
  ContactsRepository,
  PeopleSearchRepository,
  type SearchablePerson,
  statusOf,
  tokensOf,
} from '#persistence';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { AlertsService } from '../alerts/alerts.service.js';
import { BottleSearch } from '../bottles/bottle-search.js';
import { whyMatched } from './why-matched.js';
import type { FoundBottleDto, SearchResultDto } from './search.dto.js';

const MOST_PEOPLE = 8;
/** Bottles of one person, bottles by id, alerts, medications. */
const MOST_OTHERS = 5;

/** Finds people, bottles, open alerts and medications by what someone types. */
@Injectable()
export class SearchService {
  constructor(
    private readonly people: PeopleSearchRepository,
    private readonly bottles: BottleSearch,
    private readonly states: BottleStatesRepository,
    private readonly contacts: ContactsRepository,
    private readonly alerts: AlertsService,
  ) {}

  async find(q: string): Promise<SearchResultDto> {
    const [people, medications, found] = await Promise.all([
      this.people.findPeople(q, MOST_PEOPLE),
      this.people.findMedications(q, MOST_OTHERS),
      // a character alone is a part of almost every id
      q.trim().length > 1 ? this.bottles.find(q.trim(), {}, undefined, MOST_OTHERS) : { states: [] },
    ]);
    const shown = people.map((person) => ({ person, ids: bottlesFor(q, person) }));
    const others = found.states.map(({ _id }) => _id.toHexString());
    const ids = [...new Set([...shown.flatMap((one) => one.ids), ...others])];
    const objectIds = ids.map((id) => new Types.ObjectId(id));
    const [states, contacts] = await Promise.all([
      this.states.findByIds(objectIds),
      this.contacts.findByUsers(people.map(({ user_id }) => user_id)),
    ]);
    const contactOf = new Map(contacts.map((contact) => [contact._id, contact]));
    const stateOf = new Map(states.map((state) => [state._id.toHexString(), state]));
    return {
      people: shown.map(({ person, ids: theirs }) => {
        const contact = contactOf.get(person.user_id);
        return {
          user_id: person.user_id,
          name: contact?.name ?? null,
          matched: whyMatched(q, person, contact),
          bottles: theirs.flatMap((id) => foundView(stateOf.get(id))),
        };
      }),
      bottles: found.states.flatMap(foundView),
      alerts: await this.alerts.listActive(objectIds, { limit: MOST_OTHERS }),
      medications,
    };
  }
}

/** The person's bottles, those whose medication or label was looked for first. */
function bottlesFor(q: string, { bottles }: SearchablePerson): string[] {
  const parts = tokensOf(q);
  const isMeant = ({ medication, label = '' }: SearchablePerson['bottles'][number]): boolean =>
    tokensOf(`${medication} ${label}`).some((token) => parts.some((part) => token.startsWith(part)));
  const meant = bottles.filter(isMeant);
  const others = bottles.filter((bottle) => !isMeant(bottle));
  return [...meant, ...others].slice(0, MOST_OTHERS).map(({ id }) => id);
}

const foundView = (state: BottleState | undefined): FoundBottleDto[] =>
  state
    ? [
        {
          bottle_id: state._id.toHexString(),
          user_id: state.user_id,
          medication: state.medication,
          status: statusOf(state),
        },
      ]
    : [];
