import { randomBytes } from 'node:crypto';
import { randomText } from './secret.ts';

const LENGTH = 12;
const ID = /^[a-z0-9]{12}$/;

/** An id that nothing else has: of a list, an automation, an asset or a template. */
export const newId = (length = LENGTH) => randomText('abcdefghijklmnopqrstuvwxyz0123456789', length);

/** Whether a text can be such an id; no other is looked up. */
export const isId = (text: string) => ID.test(text);

/** A new one with each write of an item: the condition of the next. */
export const newRevision = () => randomBytes(6).toString('base64url');
