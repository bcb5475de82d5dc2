export * from './adherence/index.js';
export * from './doses/index.js';
export * from './escalation/index.js';
export * from './ids/derived-id.js';
export * from './ids/report-ids.js';
export * from './listening/listening.js';
export * from './supply/index.js';
export * from './time/device-clock.js';
