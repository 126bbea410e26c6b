import * as z from 'zod/mini';
import { EXPIRATIONS, TOKEN_NAME_TAKEN, TokenName } from '#shared/token.ts';

/** The options of the expiration field. */
export const EXPIRATION_CHOICES = EXPIRATIONS.map(days => ({
  value: String(days),
  label: days === null ? 'Never' : days === 365 ? '1 year' : `${days} days`,
}));

const Expiration = z.pipe(
  z.string(),
  z.transform(chosen => EXPIRATIONS.find(days => String(days) === chosen) ?? null),
);

/** The schema of the form: the rules of the contract, and no name that is taken already. */
export const newTokenSchema = (taken: readonly string[]) =>
  z.object({
    name: TokenName.check(z.refine(name => !taken.includes(name), TOKEN_NAME_TAKEN)),
    expiration: Expiration,
  });

export type NewTokenValues = z.output<ReturnType<typeof newTokenSchema>>;
