import { sealWith, unsealWith } from './seal-setting.js';

const [OLD, NEW] = ['an-old-setting-of-32-characters-or-more', 'a-new-setting-of-32-characters-or-more'];

describe('a secret sealed with a setting', () => {
  const sealed = sealWith(OLD, 'endpoint 1', 'whsec_abc');

  it('is not readable, and opens with the setting', () => {
    expect(sealed).not.toContain('whsec');
    expect(unsealWith(OLD, 'endpoint 1', sealed)).toEqual({ text: 'whsec_abc', isCurrent: true });
  });

  it('goes on opening while the setting changes, and says that it is to be sealed anew', () => {
    const both = `${NEW} ${OLD}`;
    expect(unsealWith(both, 'endpoint 1', sealed)).toEqual({ text: 'whsec_abc', isCurrent: false });
    expect(unsealWith(NEW, 'endpoint 1', sealWith(both, 'endpoint 1', 'whsec_abc'))?.isCurrent).toBe(true);
  });

  it('does not open with another setting, or as that of another', () => {
    expect(unsealWith(NEW, 'endpoint 1', sealed)).toBeUndefined();
    expect(unsealWith(OLD, 'endpoint 2', sealed)).toBeUndefined();
  });
});
