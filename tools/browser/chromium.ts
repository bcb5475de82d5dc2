import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './find-chromium.js';

const QUIET = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real Chromium. @throws when there is none, saying what to do */
export async function launchChromium(): Promise<Browser> {
  const { path: executablePath, env } = await findChromium(console.log);
  return chromium.launch({ executablePath, args: QUIET, ...(env && { env: { ...process.env, ...env } }) });
}
