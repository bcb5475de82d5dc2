import { AlertsRepository, type Delivery, DeliveryListsRepository, type DeliveryPage } from '#persistence';
import { Injectable } from '@nestjs/common';
import { type ListMessagesQuery, type MessageDto } from '../deliveries/delivery.dto.js';
import { MessagesService } from '../deliveries/messages.service.js';
import { type ByTime, Cursors, type Page, readPage } from '../http/paging.js';
import { PersonService } from './person.service.js';
import { boundsOf } from '../http/time-range.js';
import type { PersonsBottle } from './persons-bottles.js';

const CURSORS = new Cursors<ByTime<string>>('person_messages', { timed: true, idDigits: 32 });

/** The messages about a person's bottles, with their texts. */
@Injectable()
export class PersonsMessagesService {
  constructor(
    private readonly person: PersonService,
    private readonly deliveries: DeliveryListsRepository,
    private readonly alerts: AlertsRepository,
    private readonly messages: MessagesService,
  ) {}

  /** Newest first. @throws Problem 404 */
  async list(userId: string, { status, ...query }: ListMessagesQuery): Promise<Page<MessageDto>> {
    const bottles = await this.person.requireKnown(userId);
    const range = boundsOf(query);
    return readPage(query, {
      cursors: CURSORS,
      find: (before, limit) => this.find(bottles, userId, { status, ...range, before, limit }),
      positionOf: ({ _id, created_at }) => ({ id: _id, time: created_at }),
      show: (deliveries) => this.messages.show(deliveries),
    });
  }

  /** Of a bottle that has changed hands, only those about this person's alerts. */
  private async find(
    bottles: PersonsBottle[],
    userId: string,
    page: Omit<DeliveryPage, 'alert_id'>,
  ): Promise<Delivery[]> {
    const isShared = ({ bottle }: PersonsBottle): boolean => bottle.former_owners !== undefined;
    const shared = bottles
      .filter(isShared)
      .map(({ bottle }) => this.alerts.findIdsOfOwner(bottle._id, userId));
    const own = bottles.filter((one) => !isShared(one)).map(({ bottle }) => bottle._id);
    const found = await Promise.all([
      this.deliveries.findPageOfBottles(own, page),
      this.deliveries.findPageOfAlerts((await Promise.all(shared)).flat(), page),
    ]);
    return found.flat().toSorted(newestFirst).slice(0, page.limit);
  }
}

/** As the database orders them. */
function newestFirst(one: Delivery, other: Delivery): number {
  return other.created_at.getTime() - one.created_at.getTime() || (one._id < other._id ? 1 : -1);
}
