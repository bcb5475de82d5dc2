import { t } from '../i18n/i18n.js';
import { machineNow } from '../time/clock.js';
import { idleTime } from '../time/idle.js';
import { ApiError, isStatus, send } from './http.js';
import { Store, useStore } from './store.js';
import type { SignedInStaff } from './schema.js';
import type { Requirement, Role } from './vocabulary.js';

/** Who is signed in, and whether the session is still valid. */
export type SessionState =
  | { kind: 'loading' }
  | { kind: 'unreachable'; error: Error }
  | { kind: 'signed-out' }
  /** While `isConfirming`, a dialog asks to sign in again for something sensitive. */
  | ({ kind: 'signed-in'; staff: SignedInStaff; csrf: string; isConfirming: boolean } & AccountSetup)
  /** A dialog asks to sign in again. The page stays if the session ended during work, not if nobody was there. */
  | { kind: 'ended'; staff: SignedInStaff; isIdle: boolean };

interface AccountSetup {
  required: Requirement[];
  second_factor: 'off' | 'not_set_up' | 'set_up';
}

interface SessionAnswer extends AccountSetup {
  staff: SignedInStaff;
  csrf_token: string;
  idle_timeout_s: number;
  fresh_for_s: number;
}

/** How often the page checks that somebody uses it. */
export const IDLE_CHECK_MS = 30_000;

const RANK: readonly Role[] = ['viewer', 'support', 'admin'];

/** The session of this page. */
class Session extends Store<SessionState> {
  private waiting: (() => void)[] = [];
  private confirming: { confirmed: () => void; cancelled: (error: ApiError) => void }[] = [];
  /** By the clock of this machine. Epoch milliseconds. */
  private freshUntil = 0;
  private idleTimeoutMs = Number.POSITIVE_INFINITY;

  /** Loads the session from the server. */
  readonly load = async (): Promise<void> => {
    try {
      const answer = await send<SessionAnswer>('GET', '/v1/session');
      const { staff, csrf_token, required, second_factor } = answer;
      this.idleTimeoutMs = answer.idle_timeout_s * 1000;
      this.freshUntil = machineNow() + answer.fresh_for_s * 1000;
      const isConfirming = this.confirming.length > 0;
      this.set({ kind: 'signed-in', staff, csrf: csrf_token, isConfirming, required, second_factor });
      for (const resume of this.waiting.splice(0)) resume();
    } catch (error) {
      const state = this.get();
      if (state.kind === 'signed-in' || state.kind === 'ended') {
        if (isStatus(error, 401)) this.end(state.staff);
      } else {
        this.set(
          isStatus(error, 401) ? { kind: 'signed-out' } : { kind: 'unreachable', error: error as Error },
        );
      }
    }
  };

  /** @throws ApiError `wrong_credentials`, `second_factor_needed`, `wrong_code`, `locked_out` */
  readonly signIn = async (email: string, password: string, code?: string): Promise<void> => {
    await send('POST', '/v1/session', { body: { email, password, code } });
    const confirming = this.confirming.splice(0);
    await this.load();
    for (const { confirmed } of confirming) confirmed();
  };

  readonly signOut = async (): Promise<void> => {
    await send('DELETE', '/v1/session', { headers: { 'x-csrf-token': this.csrf } }).catch(
      (error: unknown) => {
        if (!isStatus(error, 401)) throw error;
      },
    );
    // another person may sign in next
    this.waiting = [];
    this.confirming = [];
    this.set({ kind: 'signed-out' });
  };

  /** After the session has ended: resolves when the same person has signed in again. */
  readonly renewed = (): Promise<void> => {
    const state = this.get();
    if (state.kind === 'signed-in') this.end(state.staff);
    return new Promise((resolve) => this.waiting.push(resolve));
  };

  /** Whether the person has signed in so lately that the API lets them do what is sensitive. */
  readonly isFresh = (): boolean => machineNow() < this.freshUntil;

  /** Asks the person to sign in again. @throws ApiError if they cancel */
  readonly confirmed = (): Promise<void> =>
    new Promise((confirmed, cancelled) => {
      this.confirming.push({ confirmed, cancelled });
      this.showConfirming();
    });

  readonly cancelConfirming = (): void => {
    const refusal = new ApiError(403, 'reauthentication_required', t('Not done: you did not sign in again.'));
    for (const { cancelled } of this.confirming.splice(0)) cancelled(refusal);
    this.showConfirming();
  };

  private showConfirming(): void {
    const state = this.get();
    if (state.kind === 'signed-in') this.set({ ...state, isConfirming: this.confirming.length > 0 });
  }

  /** Keeps the session while the page is used, and ends it when nobody has used it for too long. */
  readonly checkIdle = async (): Promise<void> => {
    const state = this.get();
    if (state.kind !== 'signed-in' && state.kind !== 'ended') return;
    if (idleTime() < this.idleTimeoutMs) {
      if (state.kind === 'signed-in' && idleTime() < IDLE_CHECK_MS) await this.load();
    } else if (state.kind === 'ended') {
      if (!state.isIdle) this.end(state.staff);
    } else {
      // another tab may be in use: the server knows
      await send('GET', '/v1/session').catch(() => this.end(state.staff));
    }
  };

  private end(staff: SignedInStaff): void {
    this.set({ kind: 'ended', staff, isIdle: idleTime() >= this.idleTimeoutMs });
  }

  /** The token against cross-site request forgery. */
  get csrf(): string {
    const state = this.get();
    return state.kind === 'signed-in' ? state.csrf : '';
  }
}

export const session = new Session({ kind: 'loading' });

export function useSession(): SessionState {
  return useStore(session);
}

/** Who is signed in. Only for components that are shown to signed-in staff. */
export function useStaff(): SignedInStaff {
  const state = useSession();
  if (state.kind === 'signed-in' || state.kind === 'ended') return state.staff;
  throw new ApiError(401, 'not_signed_in', 'Not signed in.');
}

/** Whether the signed-in person has at least this role. */
export function useMay(role: Role): boolean {
  return RANK.indexOf(useStaff().role) >= RANK.indexOf(role);
}
