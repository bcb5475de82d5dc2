import { Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LinksService } from './links.service.js';
import { Html, send } from './page.js';
import { VerificationService } from './verification.service.js';

/**
 * The page behind the link of a notification. Mail scanners follow links (Rock#7034), so opening the page changes
 * nothing: only pressing its button does.
 */
@ApiExcludeController()
@Controller('a/:token')
export class LinksController {
  constructor(private readonly links: LinksService) {}

  @Get()
  @Html()
  async ask(@Param('token') token: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return send(await this.links.ask(token), reply);
  }

  @Post()
  @HttpCode(200)
  @Html()
  async acknowledge(
    @Param('token') token: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return send(await this.links.acknowledge(token), reply);
  }

  @Post(':statement')
  @HttpCode(200)
  @Html()
  async state(
    @Param('token') token: string,
    @Param('statement') statement: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return send(await this.links.state(token, statement), reply);
  }
}

/** The page behind the link that asks whether an address is the right one: only pressing its button confirms it. */
@ApiExcludeController()
@Controller('v/:token')
export class VerificationController {
  constructor(private readonly verification: VerificationService) {}

  @Get()
  @Html()
  async ask(@Param('token') token: string, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return send(await this.verification.ask(token), reply);
  }

  @Post()
  @HttpCode(200)
  @Html()
  async confirm(
    @Param('token') token: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return send(await this.verification.confirm(token), reply);
  }
}
