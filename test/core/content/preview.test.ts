import { expect, it } from 'vitest';
import * as automations from '#core/automation/automation.store.ts';
import * as previews from '#core/sending/preview.ts';
import { batchWrite, type Table } from '#core/storage/table.store.ts';
import { freshTable } from '#test/support/engine.ts';
import { intercepted } from '#test/support/intercepted.ts';
import { newSender } from '#test/support/sending.ts';

const table = freshTable();
const now = new Date('2030-01-01T12:00:00Z');
const publicUrl = 'https://letterflow.example';

async function newAutomation(lists: Record<string, string[]>) {
  const sender = await newSender(table, now);
  const made = [];
  for (const [name, emails] of Object.entries(lists)) {
    const of = await sender.newList({ name });
    for (const email of emails) await sender.add(of, email, { email_is: email });
    const counts = { total: emails.length, subscribed: emails.length, columns: 0 };
    await batchWrite(table, { puts: [{ PK: `LIST#${of.id}`, SK: 'COUNTS', ...counts }] });
    made.push(of);
  }
  const { id } = await sender.newAutomation({ email_list_ids: made.map(({ id }) => id) });
  await sender.newTemplate([id], { subject_line: '{{email_is}}' });
  const [automation] = await automations.readThese(table, sender.organization, [id]);
  if (!automation) throw new Error('It was not stored');
  return { automation, lists: made };
}

async function shown(automation: automations.StoredAutomation, times: number, on: Table = table) {
  const counts = new Map<string, number>();
  for (let time = 0; time < times; time++) {
    const { plaintext } = await previews.preview(
      { table: on, now, publicUrl, organization: {} },
      automation,
      { seed: previews.newSeed() },
    );
    const [subject = ''] = plaintext.split('\n');
    counts.set(subject, (counts.get(subject) ?? 0) + 1);
  }
  return counts;
}

it('a preview is for any of the members, also of those with the same beginning', async () => {
  const emails = ['ann', 'anna', 'annabel', 'anne', 'zoe'].map(name => `${name}@example.com`);
  const { automation } = await newAutomation({ Readers: emails });
  const counts = await shown(automation, 200);
  expect([...counts.keys()].sort()).toEqual(emails);
  // Of 200 about 40 each: less than 15 is beyond four standard deviations.
  for (const count of counts.values()) expect(count).toBeGreaterThan(15);
});

it('a preview is for a member of a large list as often as it is larger', async () => {
  const many = Array.from({ length: 19 }, (_, at) => `many${at}@example.com`);
  const { automation } = await newAutomation({ Many: many, Few: ['few@example.com'] });
  const counts = await shown(automation, 100);
  expect(counts.get('few@example.com') ?? 0).toBeLessThan(20);
  expect(counts.size).toBeGreaterThan(12);
});

it('a preview looks at a bounded part of a list, however many members it has', async () => {
  const many = Array.from({ length: 150 }, (_, at) => `person${String(at).padStart(3, '0')}@example.com`);
  const { automation, lists } = await newAutomation({ Many: many });
  const counts = { total: 1_000_000, subscribed: 1_000_000, columns: 0 };
  await batchWrite(table, { puts: lists.map(({ id }) => ({ PK: `LIST#${id}`, SK: 'COUNTS', ...counts })) });
  let requests = 0;
  const counting = intercepted(table, send => {
    requests++;
    return send();
  });
  const different = await shown(automation, 60, counting);
  expect(different.size).toBeGreaterThan(30);
  expect(requests / 60).toBeLessThan(10);
});

it('a preview counts no days for somebody whose date is still to come', async () => {
  const sender = await newSender(table, now);
  const readers = await sender.newList();
  await sender.add(readers, 'ann@example.com', { starts: '2030-01-02' });
  const { id } = await sender.newAutomation({ email_list_ids: [readers.id], metadata_trigger: 'starts' });
  await sender.newTemplate([id], { subject_line: '{{days_since_trigger}} days' });
  const [automation] = await automations.readThese(table, sender.organization, [id]);
  if (!automation) throw new Error('It was not stored');
  const { plaintext } = await previews.preview({ table, now, publicUrl, organization: {} }, automation, {
    seed: previews.newSeed(),
  });
  expect(plaintext.split('\n')[0]).toBe('0 days');
});
