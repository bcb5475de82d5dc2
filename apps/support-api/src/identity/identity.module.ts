import { Module } from '@nestjs/common';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { SecondFactors } from './second-factors.service.js';
import { SessionsController, SignInController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { SignInLimits } from './sign-in-limits.js';
import { StaffAccountsController } from './staff.controller.js';
import { StaffService } from './staff.service.js';
import { ViewsController } from './views.controller.js';

/** Staff accounts, their sessions, and API keys. */
@Module({
  controllers: [
    ApiKeysController,
    SignInController,
    SessionsController,
    StaffAccountsController,
    ViewsController,
  ],
  providers: [ApiKeysService, SecondFactors, SessionsService, SignInLimits, StaffService],
})
export class IdentityModule {}
