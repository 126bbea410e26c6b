import * as lists from '#core/list/list.ts';
import * as organizations from '#core/organization/organization.ts';
import * as broadcasts from '#core/sending/broadcast.ts';
import { forecastBroadcast } from '#core/sending/forecast/forecast.ts';
import { get, queryPartition, type Table } from '#core/storage/table.store.ts';
import { BroadcastChange, NewBroadcast } from '#shared/broadcast.ts';
import { HOUR, type Sender, start, timeAfter } from './deliveries.ts';
import { newSender } from './sending.ts';

export const DAY = 24 * HOUR;
export const email = (name: string) => `${name}@example.com`;

export const key = (sender: Sender, id: string) => ({ PK: `ORG#${sender.organization}`, SK: `CAST#${id}` });

/** For senders of a table. */
export function broadcastsIn(table: Table) {
  /** Lists with these members, and a draft to all of them. */
  async function ready(members: Record<string, object>[], fields: object = {}) {
    const sender = await newSender(table, start);
    sender.at(timeAfter(-DAY));
    const all = [];
    for (const ofList of members) {
      const list = await sender.newList();
      for (const [name, metadata] of Object.entries(ofList))
        await sender.add(list, email(name), { ...metadata });
      all.push(list);
    }
    sender.at(start);
    const template = await sender.newTemplate([]);
    const wanted = {
      name: 'The spring sale!',
      email_list_ids: all.map(({ id }) => id),
      email_template_ids: [template.id],
      ...fields,
    };
    const create = (more: object = {}) =>
      broadcasts.create(
        { table, now: sender.now },
        sender.acting,
        NewBroadcast.parse({ ...wanted, ...more }),
      );
    const { id } = await create();
    const stored = async () => broadcasts.found([(await get(table, key(sender, id))) ?? { PK: '', SK: '' }]);
    const change = async (to: object) =>
      broadcasts.change({ table, now: sender.now }, sender.acting, await stored(), BroadcastChange.parse(to));
    const shown = async () => broadcasts.detail({ table, now: sender.now }, await stored());
    const forecast = async () =>
      forecastBroadcast({ table, now: sender.now, hasTimeLeft: () => true }, await stored());
    return { sender, lists: all, template, id, create, stored, change, shown, forecast };
  }

  const sources = async (sender: Sender) =>
    (await queryPartition(table, 'SWEEP#000000', `${sender.organization}#`)).filter(
      ({ existing }) => existing !== undefined,
    );
  const activeOf = async (sender: Sender) =>
    (await organizations.findAll({ table }, [sender.organization]))[0]?.active_automations ?? 0;

  async function switchList(sender: Sender, { id }: { id: string }, active: boolean) {
    const found = await lists.lookUp({ table }, sender.organization, id);
    if (found) await lists.change({ table, now: sender.now }, found, { active });
  }

  return { ready, sources, activeOf, switchList };
}
