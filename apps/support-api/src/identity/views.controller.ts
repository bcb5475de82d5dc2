import { StaffRepository } from '#persistence';
import { definedOnly, Problem } from '#platform';
import { Body, Delete, Get, HttpCode, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Audited, NoPatientData } from '../auth/audited.js';
import { StaffController } from '../auth/staff-controller.js';
import { Caller, ownAccount, type Staff } from '../auth/staff.js';
import { DeleteViewQuery, SavedViewsDto, SaveViewDto } from './view.dto.js';

const MOST_VIEWS = 20;

/** The caller's own views of the list of bottles; they follow the account from browser to browser. */
@StaffController('v1/session/views', 'session', 'viewer')
@ApiNotFoundResponse({ description: 'The caller has no session but an API key; or there is no such view.' })
export class ViewsController {
  constructor(private readonly accounts: StaffRepository) {}

  @ApiOperation({ summary: 'Lists your saved views of the list of bottles' })
  @Get()
  @NoPatientData()
  @ApiOkResponse({ type: SavedViewsDto })
  async listSavedViews(@Caller() caller: Staff): Promise<SavedViewsDto> {
    const account = await this.accounts.findById(ownAccount(caller));
    return { items: account?.views ?? [] };
  }

  @ApiOperation({ summary: 'Saves a view, in place of one with its name', description: 'At most 20.' })
  @Put()
  @Audited({ action: 'session.save_view', kind: 'staff', ofCaller: true })
  @ApiOkResponse({ type: SavedViewsDto })
  async saveView(@Caller() caller: Staff, @Body() body: SaveViewDto): Promise<SavedViewsDto> {
    if (!(await this.accounts.putView(ownAccount(caller), definedOnly({ ...body }), MOST_VIEWS)))
      throw new Problem(409, 'too_many_views', `You have ${MOST_VIEWS} views. Delete one first.`);
    return this.listSavedViews(caller);
  }

  @ApiOperation({ summary: 'Deletes a view' })
  @Delete()
  @Audited({ action: 'session.delete_view', kind: 'staff', ofCaller: true })
  @HttpCode(204)
  @ApiNoContentResponse()
  async deleteSavedView(@Caller() caller: Staff, @Query() { name }: DeleteViewQuery): Promise<void> {
    if (!(await this.accounts.deleteView(ownAccount(caller), name))) throw Problem.notFound('view');
  }
}
