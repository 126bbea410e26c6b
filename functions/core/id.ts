import { randomBytes } from 'node:crypto';
import { randomText } from './secret.ts';

const LENGTH = 12;
const ID = /^[a-z0-9]{12}$/;

export const newId = (length = LENGTH) => randomText('abcdefghijklmnopqrstuvwxyz0123456789', length);

export const isId = (text: string) => ID.test(text);

/** A new revision of an item: each write sets one, and the next write has it as condition. */
export const newRevision = () => randomBytes(6).toString('base64url');
