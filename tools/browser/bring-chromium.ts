import { findChromium } from './find-chromium.js';

/** Before the tests, so that their workers do not fetch it one beside the other. */
await findChromium(console.log);
