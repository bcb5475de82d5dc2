import { t } from '../i18n/i18n.js';
/** An action that the search box offers: it opens a page, or the help (`?`). */
export interface Action {
  label: string;
  to: string;
}

interface Rights {
  isSupport: boolean;
  isAdmin: boolean;
}

const ACTIONS: readonly (Action & { tokens: string; needs?: keyof Rights })[] = [
  { label: t('Go to Fleet'), to: '/', tokens: t('overview home status') },
  { label: t('Go to Alerts'), to: '/alerts', tokens: t('attention') },
  { label: t('Go to Bottles'), to: '/bottles', tokens: t('list') },
  { label: t('Go to Notifications'), to: '/messages', tokens: t('messages e-mail failed') },
  { label: t('Register a bottle'), to: '/register', tokens: t('new add import csv'), needs: 'isSupport' },
  { label: t('Go to Staff'), to: '/staff', tokens: t('accounts roles people'), needs: 'isAdmin' },
  { label: t('Go to API keys'), to: '/api-keys', tokens: t('programs'), needs: 'isAdmin' },
  { label: t('Go to Audit log'), to: '/audit', tokens: t('history who'), needs: 'isSupport' },
  {
    label: t('Go to Settings'),
    to: '/settings',
    tokens: t('thresholds versions health webhook endpoints'),
    needs: 'isSupport',
  },
  { label: t('Show keyboard shortcuts'), to: '?', tokens: t('help keys') },
];

const tokensOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The actions whose terms begin with those of the query, in any order; none for a query of one character. */
export function actionsFor(query: string, rights: Rights): Action[] {
  const parts = tokensOf(query);
  if (query.length < 2 || parts.length === 0) return [];
  return ACTIONS.filter(({ label, tokens, needs }) => {
    const known = tokensOf(`${label} ${tokens}`);
    return (!needs || rights[needs]) && parts.every((part) => known.some((token) => token.startsWith(part)));
  });
}
