import { beforeAll, describe, expect, it, vi } from 'vitest';
import { freshTable } from '../support/engine.ts';
import { intercepted } from '../support/intercepted.ts';
import { newSent } from '../support/sent.ts';
import { signed, trackingHandlers } from '../support/tracking.ts';

const table = freshTable();
const now = new Date('2030-01-01T10:30:00Z');
const written = new Date('2030-01-01T10:00:00Z');

let sent: Awaited<ReturnType<typeof newSent>>['sent'];
let away: Awaited<ReturnType<typeof trackingHandlers>>;
beforeAll(async () => {
  ({ sent } = await newSent(table, new Date('2030-01-01T09:58:30Z')));
  // Tests are silent otherwise.
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'INFO');
  const failing = intercepted(table, () => Promise.reject(new Error('The table is away')));
  away = await trackingHandlers({ table: failing, now });
});

async function logged(act: () => Promise<unknown>): Promise<{ level: string; message: string }[]> {
  const lines: string[] = [];
  const keep = (line: string | Uint8Array) => lines.push(String(line)) > 0;
  const spies = [process.stdout, process.stderr].map(stream =>
    vi.spyOn(stream, 'write').mockImplementation(keep),
  );
  try {
    await act();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return lines.map(line => JSON.parse(line));
}

describe('what is lost while the table is away is an error in the log, which an alarm counts', () => {
  const url = 'https://shop.example.com/spring';
  const addressed = {
    language: 'en',
    list: 'Readers',
    sender: { name: '', address: 'a@example.com' },
    logo: '',
  };

  it.each([
    ['an open', () => away.open(signed('open', { ...sent, written }))],
    ['a click', () => away.click(signed('click', { ...sent, written, url, part: 'cta_url' }))],
    ['a look', () => away.unsubscribe(signed('unsubscribe', { ...sent, written, ...addressed }))],
    [
      'an unsubscribe',
      () =>
        away.unsubscribe(signed('unsubscribe', { ...sent, written, ...addressed }), {
          method: 'POST',
          body: 'do=unsubscribe',
        }),
    ],
  ])('%s', async (_, act) => {
    expect((await logged(act)).map(({ level }) => level)).toEqual(['ERROR']);
  });

  it('but not what is forged', async () => {
    expect(await logged(() => away.click('forged'))).toEqual([]);
  });
});
