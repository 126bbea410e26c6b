import * as z from 'zod/mini';
import { EXPIRATIONS, TOKEN_NAME_TAKEN, TokenName } from '../../../../shared/token.ts';

/** What the choice of an expiration is called, and how it stands in the form. */
export const EXPIRATION_CHOICES = EXPIRATIONS.map(days => ({
  value: String(days),
  label: days === null ? 'Never' : days === 365 ? '1 year' : `${days} days`,
}));

const Expiration = z.pipe(
  z.string(),
  z.transform(chosen => EXPIRATIONS.find(days => String(days) === chosen) ?? null),
);

/** The form of a new token: the rules of the contract, and the names that are taken. */
export const newTokenSchema = (taken: readonly string[]) =>
  z.object({
    name: TokenName.check(z.refine(name => !taken.includes(name), TOKEN_NAME_TAKEN)),
    expiration: Expiration,
  });

export type NewTokenSchema = ReturnType<typeof newTokenSchema>;
export type WantedToken = z.output<NewTokenSchema>;
