/** A contact whose addresses staff have verified, unless it says something else. */
export function verified<T extends object>(contact: T): T {
  const { email, sms, carer, carers } = contact as {
    email?: string;
    sms?: string;
    carer?: object;
    carers?: object[];
  };
  return {
    ...(email === undefined ? {} : { email_verified: true }),
    ...(sms === undefined ? {} : { sms_verified: true }),
    ...contact,
    ...(carer ? { carer: verified(carer) } : {}),
    ...(carers ? { carers: carers.map(verified) } : {}),
  };
}
