import { Controller, Get, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { type Form, FormBody } from './form-body.js';
import { LinksService } from './links.service.js';
import { Pages } from './page.js';
import { StopService } from './stop.service.js';
import { VerificationService } from './verification.service.js';

const Accepted = (): ParameterDecorator => Headers('accept-language');
const Reply = (): ParameterDecorator => Res({ passthrough: true });

/**
 * The page behind the link of a notification. Mail scanners follow links (Rock#7034), so opening the page changes
 * nothing: only pressing its buttons does.
 */
@ApiExcludeController()
@Controller('a/:token')
export class LinksController {
  constructor(
    private readonly links: LinksService,
    private readonly pages: Pages,
  ) {}

  @Get()
  async ask(
    @Param('token') token: string,
    @Accepted() accepted: string | undefined,
    @Reply() reply: FastifyReply,
  ): Promise<string> {
    return this.pages.send(await this.links.ask(token, accepted), reply);
  }

  @Post()
  @HttpCode(200)
  async acknowledge(
    @Param('token') token: string,
    @Accepted() accepted: string | undefined,
    @Reply() reply: FastifyReply,
  ): Promise<string> {
    return this.pages.send(await this.links.acknowledge(token, accepted), reply);
  }

  @Post(':answer')
  @HttpCode(200)
  async answer(
    @Param('token') token: string,
    @Param('answer') answer: string,
    @FormBody() form: Form,
    @Accepted() accepted: string | undefined,
    @Reply() reply: FastifyReply,
  ): Promise<string> {
    return this.pages.send(await this.links.answer(token, answer, form, accepted), reply);
  }
}

/** The page behind the link that asks whether an address is the right one: only pressing its button confirms it. */
@ApiExcludeController()
@Controller('v/:token')
export class VerificationController {
  constructor(
    private readonly verification: VerificationService,
    private readonly pages: Pages,
  ) {}

  @Get()
  async ask(
    @Param('token') token: string,
    @Accepted() accepted: string | undefined,
    @Reply() reply: FastifyReply,
  ): Promise<string> {
    return this.pages.send(await this.verification.ask(token, accepted), reply);
  }

  @Post()
  @HttpCode(200)
  async confirm(
    @Param('token') token: string,
    @Accepted() accepted: string | undefined,
    @Reply() reply: FastifyReply,
  ): Promise<string> {
    return this.pages.send(await this.verification.confirm(token, accepted), reply);
  }
}

/** The page on which a recipient stops messages, and where mail programs post to do so (RFC 8058). */
@ApiExcludeController()
@Controller('s/:token')
export class StopController {
  constructor(
    private readonly stops: StopService,
    private readonly pages: Pages,
  ) {}

  @Get()
  async ask(
    @Param('token') token: string,
    @Accepted() accepted: string | undefined,
    @Reply() reply: FastifyReply,
  ): Promise<string> {
    return this.pages.send(await this.stops.ask(token, accepted), reply);
  }

  @Post()
  @HttpCode(200)
  async stop(
    @Param('token') token: string,
    @Accepted() accepted: string | undefined,
    @Reply() reply: FastifyReply,
  ): Promise<string> {
    return this.pages.send(await this.stops.stop(token, accepted), reply);
  }
}
