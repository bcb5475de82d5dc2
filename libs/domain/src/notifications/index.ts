export * from './escalation.js';
export * from './quiet-hours.js';
