// Apart from the schemas of sign-in, so that the login page does not load zod.

export const CODE_LENGTH = 6;
/** Without characters that look alike. */
export const CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

export const DOMAIN_NOT_ALLOWED = 'This email domain is not allowed to register';
export const CODE_USED_UP = 'This code has been entered wrongly too often. Request a new one.';
export const MAILED_TOO_OFTEN = 'Use the last code, or wait 15 minutes';
export const MAILED_TOO_OFTEN_TODAY = 'Use the last code, or try again tomorrow';
export const WRONG_CODE = 'Invalid code. Please try again.';
