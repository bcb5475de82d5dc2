import type { Subject } from '#persistence';
import { Get, Module, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Audited, bottleAndOwner } from '../auth/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { BottlesModule } from '../bottles/bottles.module.js';
import { SearchQuery, SearchResultDto } from './search.dto.js';
import { SearchService } from './search.service.js';

/** Everybody whom a result names. */
const shownIn = ({ people, bottles, alerts }: SearchResultDto): Subject[] => [
  ...people.flatMap(({ user_id, bottles: theirs }): Subject[] => [
    { kind: 'contact', id: user_id },
    ...theirs.flatMap(bottleAndOwner),
  ]),
  ...[...bottles, ...alerts].flatMap(bottleAndOwner),
];

@StaffController('v1/search', 'search', 'viewer')
class SearchController {
  constructor(private readonly service: SearchService) {}

  @ApiOperation({ summary: 'Finds people, bottles, their open alerts, and medications' })
  @Get()
  @Audited({ action: 'person.list', kind: 'list', id: 'people', shows: { by: ['q'], in: shownIn } })
  @ApiOkResponse({ type: SearchResultDto })
  search(@Query() { q }: SearchQuery): Promise<SearchResultDto> {
    return this.service.find(q);
  }
}

/** One search for everything. */
@Module({
  imports: [AlertsModule, BottlesModule],
  controllers: [SearchController],
  providers: [SearchService],
})
export class SearchModule {}
