import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Post,
  Put,
  Req,
  Res,
  UseInterceptors,
} from '@nestjs/common';
import {
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Audited, AuditsItself, NoPatientData } from '../auth/audited.js';
import { FailedSignIns } from '../auth/refusals.js';
import { sessionCookie, sessionToken } from '../auth/session-cookie.js';
import { DuringSetup, StaffController } from '../auth/staff-controller.js';
import { Caller, type Staff } from '../auth/staff.js';
import { SupportApiConfig } from '../config.js';
import { languageOf } from '../http/language.js';
import {
  BeginSecondFactorDto,
  ChangePasswordDto,
  ConfirmSecondFactorDto,
  EndOtherSessionsDto,
  NewSecondFactorDto,
  OwnSessionsDto,
  RecoveryCodesDto,
  SessionDto,
  SignInDto,
} from './identity.dto.js';
import { SessionsService } from './sessions.service.js';

/** Signing in: the only route of the API that needs no authentication. */
@ApiTags('session')
@Controller('v1/session')
@UseInterceptors(FailedSignIns)
export class SignInController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly config: SupportApiConfig,
  ) {}

  @ApiOperation({
    summary: 'Signs in and sets the cookie `pillwatch_session` (`__Host-pillwatch_session` with TLS)',
    description: 'Ends the session of the cookie that is sent, if any.',
  })
  @Post()
  @HttpCode(200)
  @ApiOkResponse({ type: SessionDto })
  async signIn(
    @Body() body: SignInDto,
    @Req() { ip, headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionDto> {
    const before = sessionToken(headers.cookie, this.config.overTls);
    const language = languageOf(headers['accept-language']);
    const { token, session } = await this.sessions.signIn(body, { address: ip, language }, before);
    void reply.header('set-cookie', sessionCookie(token, this.config.overTls));
    return session;
  }
}

@StaffController('v1/session', 'session', 'viewer')
@ApiNotFoundResponse({ description: 'The caller has no session but an API key.' })
@DuringSetup(true)
@UseInterceptors(FailedSignIns)
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly config: SupportApiConfig,
  ) {}

  @ApiOperation({ summary: 'Returns the current session' })
  @Get()
  @NoPatientData()
  @ApiOkResponse({ type: SessionDto })
  getSession(@Caller() caller: Staff): Promise<SessionDto> {
    return this.sessions.get(caller);
  }

  @ApiOperation({ summary: 'Signs out' })
  @Delete()
  @Audited({ action: 'session.end', kind: 'staff', ofCaller: true })
  @HttpCode(204)
  @ApiNoContentResponse()
  async signOut(@Caller() caller: Staff, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.sessions.signOut(caller);
    void reply.header('set-cookie', sessionCookie('', this.config.overTls));
  }

  @ApiOperation({ summary: 'Lists your sessions' })
  @Get('all')
  @NoPatientData()
  @ApiOkResponse({ type: OwnSessionsDto })
  listSessions(@Caller() caller: Staff): Promise<OwnSessionsDto> {
    return this.sessions.list(caller);
  }

  @ApiOperation({ summary: 'Ends your other sessions' })
  @Post('end-others')
  @Audited({ action: 'session.end_others', kind: 'staff', ofCaller: true })
  @HttpCode(204)
  @ApiNoContentResponse()
  endOtherSessions(
    @Caller() caller: Staff,
    @Body() body: EndOtherSessionsDto,
    @Req() { ip }: FastifyRequest,
  ): Promise<void> {
    return this.sessions.endOthers(caller, body, ip);
  }

  @ApiOperation({ summary: 'Changes your own password and ends your other sessions' })
  @Post('password')
  @Audited({ action: 'session.change_password', kind: 'staff', ofCaller: true })
  @HttpCode(204)
  @ApiNoContentResponse()
  changePassword(
    @Caller() caller: Staff,
    @Body() body: ChangePasswordDto,
    @Req() { ip }: FastifyRequest,
  ): Promise<void> {
    return this.sessions.changePassword(caller, body, ip);
  }

  @ApiOperation({
    summary: 'Makes a secret for an authenticator app',
    description: 'It counts when a code confirms it.',
  })
  @Post('second-factor')
  @AuditsItself()
  @HttpCode(200)
  @ApiOkResponse({ type: NewSecondFactorDto })
  beginSecondFactor(
    @Caller() caller: Staff,
    @Body() body: BeginSecondFactorDto,
    @Req() { ip }: FastifyRequest,
  ): Promise<NewSecondFactorDto> {
    return this.sessions.beginSecondFactor(caller, body, ip);
  }

  @ApiOperation({
    summary: 'Sets up the second factor, in place of an earlier one',
    description: 'Ends your other sessions.',
  })
  @Put('second-factor')
  @Audited({ action: 'session.set_second_factor', kind: 'staff', ofCaller: true })
  @ApiOkResponse({ type: RecoveryCodesDto })
  confirmSecondFactor(
    @Caller() caller: Staff,
    @Body() { code }: ConfirmSecondFactorDto,
  ): Promise<RecoveryCodesDto> {
    return this.sessions.confirmSecondFactor(caller, code);
  }
}
