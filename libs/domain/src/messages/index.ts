export * from './alert-texts.js';
export * from './language.js';
export * from './message.js';
export * from './person-text.js';
export * from './webhook-body.js';
