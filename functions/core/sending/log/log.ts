export { content } from './content.ts';
export { type FoundEmail, found, keysOf } from './found.ts';
export { firstAndLast, oldestFirst } from './log.store.ts';
export { page } from './page.ts';
export { resend } from './resend.ts';
