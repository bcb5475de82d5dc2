import { type Role, ROLES, type StaffAccount } from '#persistence';

/** What a person has to do after signing in before they may do anything else. */
export const REQUIREMENTS = ['password_change', 'second_factor'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** In the order in which the person does it. @param from the lowest role that needs a second factor */
export function requirementsOf(account: StaffAccount, from: Role | 'off'): Requirement[] {
  const needsFactor = from !== 'off' && ROLES.indexOf(account.role) >= ROLES.indexOf(from);
  return [
    ...(account.must_change_password ? (['password_change'] as const) : []),
    ...(needsFactor && !account.second_factor ? (['second_factor'] as const) : []),
  ];
}
