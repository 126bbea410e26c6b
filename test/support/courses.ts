import * as sequences from '#core/automation/sequence.ts';
import { getAll, type Table } from '#core/storage/table.store.ts';
import { NewSequence, SequenceChange } from '#shared/sequence.ts';
import { HOUR, type Sender, start, timeAfter } from './deliveries.ts';
import { newSender } from './sending.ts';

const DAY = 24 * HOUR;
export const daysAfter = (days: number) => timeAfter(days * DAY);
export const emailOf = (name: string) => `${name}@example.com`;

/** Sequences whose steps have content, for senders of a table. */
export function courses(table: Table) {
  const stored = async (sender: Sender, { id }: { id: string }) =>
    sequences.found(await getAll(table, sequences.keysOf(sender.organization, id)));
  const change = async (sender: Sender, of: { id: string }, to: object) => {
    const sequence = await stored(sender, of);
    const known = sequence.steps.map(({ automation_id }) => automation_id);
    const needs = { table, now: sender.now };
    const changed = await sequences.change(needs, sequence, SequenceChange.parse(to));
    const ids = changed.steps.map(({ automation_id }) => automation_id);
    await sender.newTemplate(ids.filter(id => !known.includes(id)));
    return changed;
  };

  /** Two lists, with people who were added so many days ago: each is named with the letter of their list. */
  async function members(days: Record<string, number>, metadata: (name: string) => Record<string, string>) {
    const sender = await newSender(table, start);
    const lists = { a: await sender.newList(), b: await sender.newList({ name: 'Others' }) };
    for (const [listed, ago] of Object.entries(days)) {
      const [of, name = ''] = listed.split('.');
      sender.at(daysAfter(-ago));
      await sender.add(of === 'b' ? lists.b : lists.a, emailOf(name), metadata(name));
    }
    sender.at(start);
    return { sender, lists };
  }

  /** By default active, for the first list, at once, after two days and after four. */
  async function create(sender: Sender, fields: object) {
    const steps = [{}, { delay_days: 2 }, { delay_days: 4 }];
    const parsed = NewSequence.parse({ name: 'Course', active: true, steps, ...fields });
    const created = await sequences.create({ table, now: sender.now }, sender.organization, parsed);
    await sender.newTemplate(created.steps.map(({ automation_id }) => automation_id));
    return created;
  }

  return { stored, change, members, create };
}
