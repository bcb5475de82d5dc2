export * from './flapping.js';
