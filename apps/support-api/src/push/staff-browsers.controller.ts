import { MOST_BROWSERS, StaffRepository } from '#persistence';
import { Clock, Problem, pushKeyOf } from '#platform';
import { Body, Delete, Get, Headers, HttpCode, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { createHash } from 'node:crypto';
import { Audited, NoPatientData } from '../auth/audited.js';
import { Sensitive } from '../auth/sensitive.js';
import { StaffController } from '../auth/staff-controller.js';
import { Caller, ownAccount, type Staff } from '../auth/staff.js';
import { SupportApiConfig } from '../config.js';
import { browserName } from './browser-name.js';
import { browserIn } from './browser.js';
import { AddStaffBrowserDto, RemoveStaffBrowserQuery, StaffBrowsersDto } from './staff-browser.dto.js';

/** The caller's own browsers that show what the operator is sent (PUSH-6). */
@StaffController('v1/session/browsers', 'session', 'viewer')
@ApiNotFoundResponse({
  description: 'The caller has no session but an API key; or there is no such browser.',
})
export class StaffBrowsersController {
  private readonly pushKey: string | null;

  constructor(
    private readonly accounts: StaffRepository,
    private readonly clock: Clock,
    private readonly config: SupportApiConfig,
  ) {
    const { PUSH_KEY } = config;
    this.pushKey = PUSH_KEY === undefined ? null : pushKeyOf(PUSH_KEY).publicKey;
  }

  @ApiOperation({ summary: 'Lists your browsers that show what the operator is sent' })
  @Get()
  @NoPatientData()
  @ApiOkResponse({ type: StaffBrowsersDto })
  async listBrowsers(@Caller() caller: Staff): Promise<StaffBrowsersDto> {
    const account = await this.accounts.findById(ownAccount(caller));
    const items = (account?.push_browsers ?? []).map(({ endpoint, name, since }) => ({
      id: idOf(endpoint),
      name,
      since,
    }));
    return { push_key: this.pushKey, items };
  }

  @ApiOperation({
    summary: 'Adds a browser, which then shows messages of no other account',
    description: 'At most 5.',
  })
  @Put()
  // a stolen session would read on after its end
  @Sensitive('data')
  @Audited({ action: 'session.add_browser', kind: 'staff', ofCaller: true })
  @ApiOkResponse({ type: StaffBrowsersDto })
  async addBrowser(
    @Caller() caller: Staff,
    @Body() { endpoint, p256dh, auth }: AddStaffBrowserDto,
    @Headers('user-agent') userAgent: string | undefined,
  ): Promise<StaffBrowsersDto> {
    const id = ownAccount(caller);
    if (this.pushKey === null)
      throw new Problem(409, 'no_push_key', 'PUSH_KEY is not set: no browser can show messages.');
    const browser = browserIn({ endpoint, p256dh, auth }, this.config.PUSH_ALLOW_PRIVATE);
    if (!browser) throw new Problem(400, 'invalid_browser', 'This is no subscription of a browser.');
    const added = { ...browser, since: this.clock.now(), name: browserName(userAgent) };
    if (!(await this.accounts.addBrowser(id, added, MOST_BROWSERS)))
      throw new Problem(409, 'too_many_browsers', 'The person has five browsers already.');
    return this.listBrowsers(caller);
  }

  @ApiOperation({ summary: 'Removes a browser' })
  @Delete()
  @Audited({ action: 'session.remove_browser', kind: 'staff', ofCaller: true })
  @HttpCode(204)
  @ApiNoContentResponse()
  async removeBrowser(@Caller() caller: Staff, @Query() { id }: RemoveStaffBrowserQuery): Promise<void> {
    const account = await this.accounts.findById(ownAccount(caller));
    const browser = account?.push_browsers?.find(({ endpoint }) => idOf(endpoint) === id);
    if (!account || !browser || !(await this.accounts.removeBrowsers(account._id, [browser.endpoint])))
      throw Problem.notFound('browser');
  }
}

const idOf = (endpoint: string): string => createHash('sha256').update(endpoint).digest('base64url');
