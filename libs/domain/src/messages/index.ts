export * from './alert-texts.js';
export * from './message.js';
export * from './person-text.js';
export * from './sms.js';
export * from './sms-receipts.js';
export * from './sms-text.js';
export * from './webhook-body.js';
