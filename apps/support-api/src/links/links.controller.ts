import { applyDecorators, Controller, Get, Header, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LinksService, type Page } from './links.service.js';

const POLICY = "default-src 'none'; style-src 'none'; form-action 'self'; frame-ancestors 'none'";

const Html = (): MethodDecorator =>
  applyDecorators(
    Header('content-type', 'text/html; charset=utf-8'),
    Header('content-security-policy', POLICY),
    Header('referrer-policy', 'no-referrer'),
    Header('cache-control', 'no-store'),
  );

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
}

function send({ status, html }: Page, reply: FastifyReply): string {
  void reply.status(status);
  return html;
}
