import { InstantField } from '#platform';
import { PageQuery } from '../http/paging.js';

export class HistoryQuery extends PageQuery {
  @InstantField({ optional: true, description: 'From here on; seven days before the end unless given.' })
  from?: string;

  @InstantField({ optional: true, description: 'Before this; up to now unless given.' })
  to?: string;
}
