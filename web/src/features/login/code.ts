import { CODE_LENGTH } from '#shared/login-code.ts';

/** The code in a typed or pasted text: without spaces, in upper case. */
export const readCode = (typed: string) => typed.replace(/\s/g, '').toUpperCase().slice(0, CODE_LENGTH);
