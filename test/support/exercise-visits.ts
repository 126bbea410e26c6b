import { recordClick, recordOpen, type Sent } from '#core/recipient/tracking.ts';
import { recordVisit, subscribeAgain, unsubscribe } from '#core/recipient/unsubscribe.ts';
import type { Table } from '#core/storage/table.store.ts';
import { crashingAtEachWrite } from './crash.ts';

/** Opens each link of emails, in processes that crash. */
export async function exerciseVisits(table: Table, now: Date, sent: () => Promise<Sent>): Promise<void> {
  const needs = (on: Table) => ({ table: on, now });
  const each = (prepare: () => Promise<Sent>, work: (on: Table, email: Sent) => Promise<unknown>) =>
    crashingAtEachWrite(table, prepare, work);
  const unsubscribed = async () => {
    const email = await sent();
    await unsubscribe(needs(table), email, 'page');
    return email;
  };
  const link = { url: 'https://example.com/', part: 'footer' } as const;
  await each(sent, (on, email) => recordOpen(needs(on), email, 'person'));
  await each(sent, (on, email) => recordClick(needs(on), { ...email, ...link }, 'person'));
  await each(sent, (on, email) => recordVisit(needs(on), email, 'person'));
  await each(sent, (on, email) => unsubscribe(needs(on), email, 'one_click'));
  await each(unsubscribed, (on, email) => subscribeAgain(needs(on), email));
}
