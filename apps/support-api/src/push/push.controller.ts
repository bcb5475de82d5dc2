import { Controller, Get, Header, Headers, HttpCode, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Form, FormBody } from '../links/form-body.js';
import { PushService } from './push.service.js';
import { WORKER } from './worker.js';

/** The script that browsers run when a message comes. */
@ApiExcludeController()
@Controller('push')
export class PushWorkerController {
  @Get('worker.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  @Header('content-security-policy', "default-src 'none'")
  worker(): string {
    return WORKER;
  }
}

/** What the script of the page behind a link posts. */
@ApiExcludeController()
@Controller('a/:token/push')
export class PushController {
  constructor(private readonly push: PushService) {}

  @Post()
  @HttpCode(204)
  addBrowser(
    @Param('token') token: string,
    @FormBody() form: Form,
    @Headers('accept-language') accepted: string | undefined,
  ): Promise<void> {
    return this.push.addBrowser(token, form, accepted);
  }
}
