/** A contact whose e-mail addresses staff have verified, unless it says something else. */
export function verified<T extends object>(contact: T): T {
  const { email, carer } = contact as { email?: string; carer?: object };
  return {
    ...(email === undefined ? {} : { email_verified: true }),
    ...contact,
    ...(carer ? { carer: verified(carer) } : {}),
  };
}
