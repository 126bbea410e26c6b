import { expect, it } from 'vitest';
import type { EmailSend, EmailSendsPage } from '#shared/send.ts';
import { allSends, MOST_ROWS } from '#web/features/email-send/send-csv.ts';

it.each([
  ['of the log', true, null],
  ['of a log with more', false, 'older'],
])('the file of the most emails %s: complete is %s', async (_, isComplete, next) => {
  const data = Array.from({ length: MOST_ROWS }, (_, n) => ({ id: String(n) }) as EmailSend);
  const page = { data, meta: { next } } as EmailSendsPage;
  const found = await allSends(
    async () => page,
    () => {},
  );
  expect([found.sends.length, found.isComplete]).toEqual([MOST_ROWS, isComplete]);
});
