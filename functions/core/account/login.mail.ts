import { letter } from '#core/mail.ts';
import { PRODUCT } from '#shared/brand.ts';

export const codeLetter = (code: string, minutes: number) =>
  letter(`Your ${PRODUCT} login code`, [
    { paragraph: `Enter this code to sign in to ${PRODUCT}:` },
    { code },
    { paragraph: `It is valid for ${minutes} minutes and works once.` },
    {
      paragraph: 'If you did not ask for it, you can ignore this mail: nobody can sign in without the code.',
    },
  ]);
