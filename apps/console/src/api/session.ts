import { ApiError, isStatus, send } from './http.js';
import { Store, useStore } from './store.js';
import type { Requirement, Role, Staff } from './types.js';

/** Who is signed in, and whether the session is still valid. */
export type SessionState =
  | { kind: 'loading' }
  | { kind: 'unreachable'; error: Error }
  | { kind: 'signed-out' }
  | ({ kind: 'signed-in'; staff: Staff; csrf: string } & AccountSetup)
  /** The session ended during work: the page stays, and a dialog asks to sign in again. */
  | { kind: 'ended'; staff: Staff };

interface AccountSetup {
  required: Requirement[];
  second_factor: 'off' | 'not_set_up' | 'set_up';
}

interface SessionAnswer extends AccountSetup {
  staff: Staff;
  csrf_token: string;
}

const RANK: readonly Role[] = ['viewer', 'support', 'admin'];

/** The session of this page. */
class Session extends Store<SessionState> {
  private waiting: (() => void)[] = [];

  /** Loads the session from the server. */
  readonly load = async (): Promise<void> => {
    try {
      const { staff, csrf_token, required, second_factor } = await send<SessionAnswer>('GET', '/v1/session');
      this.set({ kind: 'signed-in', staff, csrf: csrf_token, required, second_factor });
      for (const resume of this.waiting.splice(0)) resume();
    } catch (error) {
      const state = this.get();
      if (state.kind === 'signed-in' || state.kind === 'ended') {
        if (isStatus(error, 401)) this.set({ kind: 'ended', staff: state.staff });
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
    await this.load();
  };

  readonly signOut = async (): Promise<void> => {
    await send('DELETE', '/v1/session', { headers: { 'x-csrf-token': this.csrf } }).catch(
      (error: unknown) => {
        if (!isStatus(error, 401)) throw error;
      },
    );
    this.set({ kind: 'signed-out' });
  };

  /** After the session has ended: resolves when the same person has signed in again. */
  readonly renewed = (): Promise<void> => {
    const state = this.get();
    if (state.kind === 'signed-in') this.set({ kind: 'ended', staff: state.staff });
    return new Promise((resolve) => this.waiting.push(resolve));
  };

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
export function useStaff(): Staff {
  const state = useSession();
  if (state.kind === 'signed-in' || state.kind === 'ended') return state.staff;
  throw new ApiError(401, 'not_signed_in', 'Not signed in.');
}

/** Whether the signed-in person has at least this role. */
export function useMay(role: Role): boolean {
  return RANK.indexOf(useStaff().role) >= RANK.indexOf(role);
}
