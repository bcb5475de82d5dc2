import { passwordProblem, Problem } from '#platform';

/** The new password of an account. @throws Problem 400 `weak_password` naming the field */
export function checkedPassword(field: string, password: string, email: string): string {
  const problem = passwordProblem(password, email);
  if (problem !== undefined) throw Problem.field(field, 'weak_password', `${field} ${problem}`);
  return password;
}
