import { beforeAll, describe, expect, it } from 'vitest';
import type { Choice } from '#core/content/combination.ts';
import { cursorFor } from '#core/id.ts';
import type { Active } from '#core/organization/organization.ts';
import { hashOf } from '#core/recipient/recipient.key.ts';
import { reportOf } from '#core/reporting/combination-report.ts';
import * as sendingLog from '#core/sending/log/log.ts';
import { cursorOf, isHappened, MARKS } from '#core/sending/log/query.ts';
import { addSkips } from '#core/sending/skip.store.ts';
import { batchWrite } from '#core/storage/table.store.ts';
import type { CombinationQuery } from '#shared/reporting.ts';
import { EmailSendsQuery } from '#shared/send.ts';
import { HAPPENED, type Happened, LOG_STATUSES, type LogStatus } from '#shared/send-status.ts';
import { freshTable } from '#test/support/engine.ts';
import { type WrittenBatch, type WrittenSend, writeLog } from '#test/support/written-log.ts';

const table = freshTable({ anyItems: true });
const now = new Date('2030-01-10T12:00:00Z');
const [LISTS, AUTOMATIONS] = [
  ['lista', 'listb'],
  ['autoa', 'autob', 'autoc'],
];
const COMBINATIONS = ['combination1', 'combination2', 'combination3', 'combination4'];
const ORGANIZATION = 7;

type Email = { id: string; to: string; list: string; automation: string } & Partial<WrittenSend> & {
    status: string;
    reason?: string;
    minute: string;
  };

const page = (query: object, organization = ORGANIZATION) =>
  sendingLog.page({ table, now }, organization, EmailSendsQuery.parse(query));

async function all(query: object, organization = ORGANIZATION) {
  const ids: string[] = [];
  let after: string | null = null;
  for (let number = 1; number === 1 || after; number++) {
    const { data, meta } = await page(
      { per_page: 7, page: number, ...query, ...(after && { after }) },
      organization,
    );
    ids.push(...data.map(({ id }) => id));
    after = meta.next;
  }
  return ids;
}

describe('What a filter finds', () => {
  const emails: Email[] = [];
  const seqs = new Map<string, number>();
  /** The same numbers each time. */
  let seed = 42;
  const any = <T>(some: readonly T[]): T => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return some[Math.floor((seed / 2 ** 31) * some.length)] as T;
  };

  function newSend(minute: string): WrittenSend {
    const to = `reader${any([...Array(12).keys()])}@example.com`;
    const seq = (seqs.get(to) ?? 0) + 1;
    seqs.set(to, seq);
    // Some were held back, and count on a later day.
    const at = any([0, 0, 0, 26]) * 3_600_000 + Date.parse(`${minute}:00Z`);
    return { to, seq, combination: any(COMBINATIONS), at: new Date(at).toISOString() };
  }

  function marksOf(at: string): NonNullable<WrittenSend['marks']> {
    const later = new Date(Date.parse(at) + 3_600_000).toISOString();
    return Object.fromEntries(HAPPENED.flatMap(mark => (any([0, 1, 2]) === 0 ? [[MARKS[mark], later]] : [])));
  }

  function newBatch(nth: number): WrittenBatch {
    const minute = `2030-01-0${3 + Math.floor(nth / 10)}T${any(['08:00', '09:30', '23:59'])}`;
    const end = any(['sent', 'sent', 'sent', 'failed', 'unknown'] as const);
    const sends = Array.from({ length: any([1, 2, 9]) }, () => newSend(minute)).map(send => ({
      ...send,
      ...(end === 'sent' && { marks: marksOf(send.at) }),
      ...(end === 'unknown' && any([true, false]) && { outcome: any(['sent', 'failed'] as const) }),
    }));
    const latest =
      sends
        .map(({ at }) => at)
        .sort()
        .at(-1) ?? '';
    const at = new Date(Date.parse(latest) + 60_000).toISOString();
    return { minute, pack: `pack${nth}`, list: any(LISTS), automation: any(AUTOMATIONS), at, end, sends };
  }

  beforeAll(async () => {
    const written = Array.from({ length: 40 }, (_, nth) => newBatch(nth));
    await writeLog(table, ORGANIZATION, written);
    for (const { sends, list, automation, end, minute } of written) {
      for (const send of sends) {
        const id = `${hashOf(send.to)}-${send.seq}`;
        emails.push({ ...send, id, list, automation, minute, status: send.outcome ?? end });
      }
    }
    for (const nth of Array(9).keys()) {
      const minute = `2030-01-0${3 + (nth % 3)}T08:00`;
      const sources = [{ list: any(LISTS), automation: any(AUTOMATIONS) }];
      const to = `reader${nth}@example.com`;
      const reason = any(['stale', 'not_subscribed'] as const);
      const hash = hashOf(to);
      // Two packs came upon each.
      for (const pack of [`pack${nth}`, `zzzz${nth}`]) {
        await addSkips(table, { organization: ORGANIZATION, minute, id: pack, sources }, [
          { hash, source: 0, reason },
        ]);
      }
      const [{ list, automation } = { list: '', automation: '' }] = sources;
      const id = [minute, hash, list, automation].join('.');
      emails.push({ id, to, list, automation, minute, status: 'skipped', reason });
    }
    await writeLog(table, 8, written.slice(0, 5));
  });

  function expected(query: Record<string, string>): string[] {
    const { status, reason, list, automation, combination, recipient, from = '', to = '~' } = query;
    const has = (email: Email) =>
      status === undefined
        ? email.status !== 'skipped'
        : isHappened(status as LogStatus)
          ? email.marks?.[MARKS[status as Happened]] !== undefined
          : email.status === status;
    return emails
      .filter(has)
      .filter(email => (reason ?? email.reason) === email.reason)
      .filter(email => (list ?? email.list) === email.list)
      .filter(email => (automation ?? email.automation) === email.automation)
      .filter(email => combination === undefined || email.combination === combination)
      .filter(email => (recipient ?? email.to) === email.to)
      .filter(({ at, minute }) => from <= (at ?? minute).slice(0, 10) && (at ?? minute).slice(0, 10) <= to)
      .map(({ id }) => id)
      .sort();
  }

  it.each(LOG_STATUSES)('is all that is %s, once, alone and with any other filter', async status => {
    const others = [
      {},
      { list: 'lista' },
      { automation: 'autob' },
      { combination: 'combination2' },
      { recipient: 'reader3@example.com' },
      { from: '2030-01-04', to: '2030-01-05' },
      { to: '2030-01-03' },
      { list: 'listb', automation: 'autoa', combination: 'combination1', from: '2030-01-03' },
      { recipient: 'reader5@example.com', combination: 'combination3', from: '2030-01-05' },
      ...(status === 'skipped' ? [{ reason: 'stale' }, { reason: 'stale', list: 'lista' }] : []),
    ] as Record<string, string>[];
    let found = 0;
    for (const other of others) {
      const query = { status, ...other };
      const ids = await all(query);
      found += ids.length;
      expect([query, [...ids].sort()]).toEqual([query, expected(query)]);
    }
    expect(found).toBeGreaterThan(9);
  });

  it('is all but what was skipped where no status is asked for', async () => {
    for (const query of [
      {},
      { automation: 'autoc' },
      { combination: 'combination4', from: '2030-01-04' },
    ] as Record<string, string>[]) {
      expect((await all(query)).sort()).toEqual(expected(query));
    }
  });

  it('is the same by numbered pages', async () => {
    for (const status of ['opened', 'clicked', 'unknown', 'skipped'] as LogStatus[]) {
      const ids: string[] = [];
      for (let number = 1, last = 1; number <= last; number++) {
        const { data, meta } = await page({ status, page: number, per_page: 4 });
        ids.push(...data.map(({ id }) => id));
        last = meta.last_page;
      }
      expect(ids.sort()).toEqual(expected({ status }));
    }
  });

  it('is counted for each automation and reason where it was skipped', async () => {
    const none = 'autonone';
    for (const days of [{}, { from: '2030-01-04' }, { to: '2030-01-04' }] as Record<string, string>[]) {
      const query = { automations: [...AUTOMATIONS, none], ...days };
      const { automations, counted_since } = await sendingLog.countSkipped({ table }, ORGANIZATION, query);
      const counts = automations.flatMap(({ automation_id: automation, reasons }) =>
        reasons.map(({ reason, count }) => ({ automation, reason, count })),
      );
      for (const { automation, reason, count } of counts) {
        const listed = expected({ status: 'skipped', automation, reason, ...days });
        expect([automation, reason, count]).toEqual([automation, reason, listed.length]);
      }
      expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(
        expected({ status: 'skipped', ...days }).length,
      );
      expect(automations.map(({ automation_id }) => automation_id)).not.toContain(none);
      expect(counted_since).toBe(null);
      // Without automations, of all of them; of one list, if it is named.
      for (const more of [{}, { list: 'lista' }] as Record<string, string>[]) {
        const found = await sendingLog.countSkipped({ table }, ORGANIZATION, { ...days, ...more });
        const total = found.automations.reduce((sum, { count }) => sum + count, 0);
        expect(total).toBe(expected({ status: 'skipped', ...days, ...more }).length);
      }
    }
    expect(
      (await sendingLog.countSkipped({ table }, 9, { automations: [...AUTOMATIONS] })).automations,
    ).toEqual([]);
  });

  it('is nothing of another organization, whichever ids are named', async () => {
    for (const status of [undefined, ...LOG_STATUSES]) {
      for (const other of [
        {},
        { list: 'lista' },
        { automation: 'autoa' },
        { recipient: 'reader1@example.com' },
      ]) {
        const query = { ...other, ...(status && { status }), combination: undefined };
        expect(await all(query, 9)).toEqual([]);
      }
    }
    expect(await all({ combination: 'combination1', status: 'sent' }, 9)).toEqual([]);
  });

  it('does not go on where the page of another recipient ended', async () => {
    const { meta } = await page({ recipient: 'reader3@example.com', per_page: 1 });
    const of = (recipient: string) => page({ recipient, per_page: 1, page: 2, after: meta.next ?? '' });
    expect((await of('reader3@example.com')).data).toHaveLength(1);
    await expect(of('reader5@example.com')).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('goes on where a page ended, whatever was sent since', async () => {
    const first = await page({ per_page: 5 });
    await writeLog(table, ORGANIZATION, [
      {
        minute: '2030-01-09T10:00',
        pack: 'late',
        list: 'lista',
        automation: 'autoa',
        end: 'failed',
        at: '2030-01-09T10:01:00.000Z',
        sends: [
          { to: 'late@example.com', seq: 1, combination: 'combination1', at: '2030-01-09T10:00:00.000Z' },
        ],
      },
    ]);
    const second = await page({ per_page: 5, page: 2, after: first.meta.next ?? '' });
    expect(second.data.filter(({ id }) => first.data.some(one => one.id === id))).toEqual([]);
    expect(second.meta.current_page).toBe(2);
  });
});

it('a search that ends before the end of the log says since when, and goes on from there', async () => {
  const RARE = 'rarecontent1';
  const days = Array.from({ length: 26 }, (_, nth) =>
    new Date(Date.parse('2029-12-31') - 5 * nth * 86_400_000).toISOString().slice(0, 10),
  );
  const batches = days.map((day, nth): WrittenBatch => {
    const at = `${day}T08:00:00.000Z`;
    const sends = [{ to: `reader${nth}@example.com`, seq: 1, combination: RARE, at }];
    return {
      minute: `${day}T08:00`,
      pack: `pack${nth}`,
      list: 'lista',
      automation: 'autoa',
      end: 'sent',
      at,
      sends,
    };
  });
  await writeLog(table, 11, batches);
  const asked = { status: 'sent', combination: RARE };
  const since = '2029-09-25T00:00:00.000Z';
  const { data, meta } = await page(asked, 11);
  // Each day is a query of its own, and a call makes twenty. An email may have been due two days before it was sent.
  expect(data).toHaveLength(20);
  expect(meta).toMatchObject({ last_page: 1, searched_since: since });
  const rest = await page({ ...asked, page: 2, after: meta.next }, 11);
  expect([rest.data.length, rest.meta.searched_since, rest.meta.next]).toEqual([6, null, null]);
  expect((await page({ ...asked, per_page: 5 }, 11)).meta.searched_since).toBeNull();
  await batchWrite(table, { puts: [{ PK: 'ORG#11#CONTENT', SK: `COMBO#${RARE}`, id: RARE, assets: {} }] });
  const active = { organization: { id: 11 }, membership: { role: 'USER' } } as Active;
  const report = await reportOf({ table, now }, { active, choice: { id: RARE } as Choice }, {
    start_date: '2029-01-01',
    end_date: '2029-12-31',
  } as CombinationQuery);
  expect([report.recent_sends.length, report.recent_sends_since]).toEqual([20, since]);
});

it('the newest of very many skipped emails are counted, and it is said since when', async () => {
  const minutes = Array.from({ length: 2_600 }, (_, nth) =>
    new Date(Date.parse('2030-01-08') + nth * 60_000).toISOString().slice(0, 16),
  );
  const sources = [{ list: 'lista', automation: 'autoa' }];
  const [often, seldom] = ['capped:max_emails_5_minutes', 'no_content'] as const;
  for (const [nth, minute] of minutes.entries())
    await addSkips(table, { organization: 10, minute, id: 'pack', sources }, [
      { hash: hashOf('ada@example.com'), source: 0, reason: nth % 4 === 3 ? seldom : often },
    ]);
  const { automations, counted_since } = await sendingLog.countSkipped({ table }, 10, {
    automations: ['autoa'],
  });
  const [{ count, reasons } = { count: 0, reasons: [] }] = automations;
  expect(count).toBeGreaterThan(2_000);
  expect(count).toBeLessThan(minutes.length);
  expect(counted_since).toBe(`${minutes.at(-count)}:00.000Z`);
  expect(reasons.map(({ reason }) => reason)).toEqual([often, seldom]);
});

it.each([
  [{ page: 0 }, 'page'],
  [{ status: 'lost' }, 'status'],
  [{ status: 'sent', reason: 'stale' }, 'reason'],
  [{ status: 'skipped', reason: 'refused' }, 'reason'],
  [{ from: '2030-02-30' }, 'from'],
  [{ from: '2030-02-02', to: '2030-02-01' }, 'from'],
  [{ list: '../x' }, 'list'],
  [{ combination: '#'.repeat(12) }, 'combination'],
  [{ recipient: 'nobody' }, 'recipient'],
  [{ recipient: `${'a'.repeat(5_000)}@example.com` }, 'recipient'],
  [{ after: 'a b' }, 'after'],
])('%o is refused', (query, field) => {
  expect(EmailSendsQuery.safeParse(query).error?.issues[0]?.path).toEqual([field]);
});

it('a place in the log is refused with another filter', async () => {
  const after = cursorFor({ status: 'sent' }, cursorOf({ key: '2030-01-09T10:00', count: 1 }));
  expect((await page({ status: 'sent', page: 2, after })).meta.current_page).toBe(2);
  for (const other of [{ status: 'failed' }, { status: 'sent', list: 'lista' }, {}] as const)
    await expect(page({ ...other, page: 2, after })).rejects.toMatchObject({ reason: 'invalid' });
});

it('a place in the log that no page ended at is refused', async () => {
  await expect(page({ after: Buffer.from('nowhere').toString('base64url') })).rejects.toMatchObject({
    reason: 'invalid',
  });
});
