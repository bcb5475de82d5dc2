import {
  type AddressLimit,
  type Clock,
  type FromAddress,
  GroupCommit,
  LruMap,
  networkOf,
  Problem,
  type Used,
} from '#platform';

/** Looks up tokens by hash, a group at a time. Unknown tokens are missing from the result. */
export interface TokenSource<Client> {
  find(hashes: string[]): Promise<Map<string, Client>>;
  findRevoked(hashes: string[]): Promise<Set<string>>;
}

/** The client of a token, and the reports that count for its rate limit. */
export interface Caller<Client> extends Used {
  client: Client;
  /** When the token was looked up. Epoch milliseconds. */
  lookedUpAt: number;
}

type Refusal = 'unknown' | 'revoked';

export const REFUSED_FOR_MS = 15_000;
/** About 50 MB of callers. */
const MAX_KNOWN = 100_000;
const MAX_REFUSED = 10_000;
const LOOKUPS = { group: 1_000, queued: 10_000, inFlight: 2 };

/** Decides how long a lookup stays valid. */
export interface Validity {
  /** Whether the result of a lookup is still valid. Epoch milliseconds. */
  isValid(lookedUpAt: number, now: number): boolean;
}

/**
 * A cache of tokens. Lookups are grouped, and refusals are cached too: neither a fleet that reconnects nor a flood of
 * bad tokens costs a query per request.
 */
export class TokenDirectory<Client> {
  private readonly known = new LruMap<string, Caller<Client>>(MAX_KNOWN);
  /** Tokens are random and made by us: a refused one does not become valid. */
  private readonly refused = new LruMap<string, { why: Refusal; until: number }>(MAX_REFUSED);
  private readonly lookups = new GroupCommit((hashes: string[]) => this.lookUp(hashes), LOOKUPS);

  constructor(
    private readonly source: TokenSource<Client>,
    private readonly validity: Validity,
    private readonly failures: AddressLimit,
    private readonly clock: Clock,
  ) {}

  /** Removes these clients from the cache. */
  protected forget(isMeant: (client: Client) => boolean): void {
    this.known.deleteWhere(({ client }) => isMeant(client));
  }

  /**
   * A right token is taken from every address: others behind the same one may have failed.
   *
   * @param from where the request comes from.
   * @throws Problem 401; 429 for a wrong token after too many failures of the address; or the error of the database.
   */
  identify(hash: string, from: FromAddress): Caller<Client> | Promise<Caller<Client>> {
    const now = this.clock.now().getTime();
    const caller = this.known.get(hash);
    if (caller && this.validity.isValid(caller.lookedUpAt, now)) return caller;
    const refusal = this.refused.get(hash);
    if (refusal && refusal.until > now) throw this.failures.failed(from) ?? refused(refusal.why);
    if (!caller) return this.failures.lookUp(from, () => this.find(hash, networkOf(from.ip)));
    return this.find(hash, hash).catch((error: unknown) => {
      throw (isWrong(error) ? this.failures.failed(from) : undefined) ?? error;
    });
  }

  /** @param turn lookups with the same one take turns with all others */
  private async find(hash: string, turn: string): Promise<Caller<Client>> {
    const lookedUpAt = this.clock.now().getTime();
    const [answer] = await this.lookups.add([hash], turn);
    if (typeof answer === 'string') {
      this.known.delete(hash);
      this.refused.set(hash, { why: answer, until: lookedUpAt + REFUSED_FOR_MS });
      throw refused(answer);
    }
    const caller = this.known.get(hash);
    if (caller) return Object.assign(caller, { client: answer!.client, lookedUpAt });
    const fresh = { client: answer!.client, lookedUpAt, count: 0, windowEnds: 0 };
    this.known.set(hash, fresh);
    return fresh;
  }

  private async lookUp(hashes: string[]): Promise<({ client: Client } | Refusal)[]> {
    const found = await this.source.find(hashes);
    const missing = hashes.filter((hash) => !found.has(hash));
    const revoked = missing.length === 0 ? new Set() : await this.source.findRevoked(missing);
    return hashes.map((hash) => {
      const client = found.get(hash);
      if (client) return { client };
      return revoked.has(hash) ? 'revoked' : 'unknown';
    });
  }
}

const isWrong = (error: unknown): boolean => error instanceof Problem && error.getStatus() === 401;

function refused(why: Refusal): Problem {
  return why === 'revoked'
    ? new Problem(401, 'token_revoked', 'This token was replaced; use the new one.')
    : new Problem(401, 'token_unknown', 'Unknown token.');
}
