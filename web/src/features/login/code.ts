import { CODE_LENGTH } from '../../../../shared/login-code.ts';

/** A code as it was typed or pasted, with its spaces and in whatever case. */
export const readCode = (typed: string) => typed.replace(/\s/g, '').toUpperCase().slice(0, CODE_LENGTH);
