import { ServiceLogger } from '../logs/service-logger.js';
import { SETTING_NAMES } from './setting-names.js';

/** Only of ours: an unknown one is named even if it resembles none. */
const OURS = /^PILLWATCH_|_AFTER$|_CRON$|_RATE_LIMIT$/;
/** Read by others: OpenTelemetry, npm, the test runner, and whoever takes sockets of systemd. */
const OF_OTHERS = /^((OTEL|NPM|PILLWATCH_TEST)_|LISTEN_(FDS|FDNAMES|PID)$)/;
/** A name that resembles a setting so much is that setting with a mistake. */
const ALIKE = 0.65;
/** A setting that resembles an unknown one so much may be what was meant. */
const WORTH_A_HINT = 0.4;

/** A variable of the environment that looks like a setting and is none. */
export interface UnknownSetting {
  name: string;
  /** The setting whose name resembles it most, if one does. */
  nearest: string | undefined;
}

/**
 * The variables that were probably meant as settings: those whose names only ours have, and those that resemble one. The
 * settings of the other services are known, too: services may share one file of settings.
 */
export function unknownSettings(env: NodeJS.ProcessEnv): UnknownSetting[] {
  return Object.keys(env).flatMap((name) => {
    if (env[name] === '' || SETTING_NAMES.includes(name) || isOfOthers(name, env)) return [];
    const [nearest, likeness] = mostAlike(name.toUpperCase());
    if (likeness < ALIKE && !OURS.test(name)) return [];
    return [{ name, nearest: likeness < WORTH_A_HINT ? undefined : nearest }];
  });
}

/** Logs a line for each unknown setting, without its value. */
export function warnOfUnknownSettings(env: NodeJS.ProcessEnv): void {
  const logger = new ServiceLogger('Settings');
  for (const { name, nearest } of unknownSettings(env)) {
    const hint = nearest === undefined ? 'docs/settings.md lists them all' : `did you mean ${nearest}?`;
    logger.warn(`there is no setting ${name}, so it has no effect: ${hint}`);
  }
}

/** Kubernetes sets variables for each Service, such as PILLWATCH_WATCHDOG_SERVICE_HOST and PILLWATCH_WATCHDOG_PORT. */
function isOfOthers(name: string, env: NodeJS.ProcessEnv): boolean {
  if (OF_OTHERS.test(name.toUpperCase())) return true;
  const parts = name.split('_');
  return parts.some((_part, end) => env[`${parts.slice(0, end).join('_')}_SERVICE_HOST`] !== undefined);
}

/** The setting whose name resembles this one most, and how much: 0 is nothing, 1 the same. */
function mostAlike(name: string): [string, number] {
  const bare = name.replace(/^PILLWATCH_/, '');
  return SETTING_NAMES.map((setting): [string, number] => [setting, likeness(bare, setting)]).reduce(
    (best, next) => (next[1] > best[1] ? next : best),
  );
}

/**
 * The share of pairs of letters that both names have (Dice): a wrong letter costs two, other order of words few. Two letters
 * that are swapped would cost a short name most of them.
 */
function likeness(one: string, other: string): number {
  if (lettersOf(one) === lettersOf(other)) return 1;
  const [pairs, others] = [pairsOf(one), pairsOf(other)];
  const all = pairs.length + others.length;
  const common = pairs.filter((pair) => {
    const found = others.indexOf(pair);
    if (found !== -1) others.splice(found, 1);
    return found !== -1;
  });
  return all === 0 ? 0 : (2 * common.length) / all;
}

function lettersOf(name: string): string {
  return [...name].sort().join('');
}

function pairsOf(name: string): string[] {
  return Array.from({ length: name.length - 1 }, (_, index) => name.slice(index, index + 2));
}
