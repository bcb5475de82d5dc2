import type { Fault } from './fault.js';
import { ADDRESSES_AND_SMS } from './faults/addresses.js';
import { ADHERENCE, ALARM_QUALITY } from './faults/adherence.js';
import { CARERS } from './faults/carers.js';
import { CHARTS } from './faults/charts.js';
import { CLAIMS } from './faults/claims.js';
import { ENDPOINTS } from './faults/endpoints.js';
import { COURSES } from './faults/courses.js';
import { CONTENT } from './faults/content.js';
import { DOSES } from './faults/doses.js';
import { LATE_DATA } from './faults/late-data.js';
import { DOORS } from './faults/doors.js';
import { LIFE } from './faults/life.js';
import { LIMITS } from './faults/limits.js';
import { MAILS } from './faults/mails.js';
import { MESSAGES } from './faults/messages.js';
import { MISSED_ROW } from './faults/missed-row.js';
import { CALLS_FOR_HELP } from './faults/help.js';
import { REMINDERS } from './faults/reminders.js';
import { OUTAGES } from './faults/outages.js';
import { PERIODS } from './faults/periods.js';
import { PLANS } from './faults/plans.js';
import { PUSH } from './faults/push.js';
import { SHARED_PLANS } from './faults/shared-plans.js';
import { SCHEDULE } from './faults/schedule.js';
import { STATEMENTS } from './faults/statements.js';
import { SUPPLY } from './faults/supply.js';

/** Every planted fault: the lines of the list of known mistakes, and bounds that are off by one. */
export const FAULTS: readonly Fault[] = [
  ...OUTAGES,
  ...PERIODS,
  ...SCHEDULE,
  ...CLAIMS,
  ...ENDPOINTS,
  ...LATE_DATA,
  ...DOSES,
  ...MISSED_ROW,
  ...CALLS_FOR_HELP,
  ...REMINDERS,
  ...PLANS,
  ...SHARED_PLANS,
  ...COURSES,
  ...ADHERENCE,
  ...ALARM_QUALITY,
  ...CHARTS,
  ...STATEMENTS,
  ...SUPPLY,
  ...MESSAGES,
  ...CONTENT,
  ...MAILS,
  ...CARERS,
  ...ADDRESSES_AND_SMS,
  ...PUSH,
  ...LIFE,
  ...LIMITS,
  ...DOORS,
];
