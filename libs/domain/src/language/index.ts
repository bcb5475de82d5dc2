export * from './german.js';
export * from './language.js';
export * from './phrases.js';
