import { triggerRows } from '#core/recipient/trigger.ts';
import { kindsOf } from '#core/storage/items/items.ts';
import { datetimesOf, type Metadata } from '#shared/metadata.ts';
import { items } from './items.ts';
import type { Stack } from './stack.ts';

type Item = Record<string, unknown> & { PK: string; SK: string };

/**
 * Finds contradictions in the table: an item whose counterpart is missing or differs, a wrong count, a row of a missing item.
 * It checks some organizations, and must be called when no work is in progress.
 */
export async function contradictions(stack: Stack, organizations: number[]): Promise<string[]> {
  await stack.fetchJson('POST', '/_local/drain');
  const all: Item[] = await items(stack);
  const at = new Map(all.map(item => [`${item.PK} ${item.SK}`, item]));
  const of = (partition: string, prefix = '') =>
    all.filter(({ PK, SK }) => PK === partition && SK.startsWith(prefix));
  const found: string[] = [];
  const expectTwin = (item: Item, key: string, fields: string[]) => {
    const twin = at.get(key);
    if (twin && fields.every(field => twin[field] === item[field])) return;
    found.push(`${item.PK} ${item.SK} has no equal twin ${key}`);
  };

  const expectCount = (key: string, field: string, counted: Item[]) => {
    const count = Number(at.get(key)?.[field] ?? 0);
    if (count !== counted.length) found.push(`${key} counts ${count} ${field}, not ${counted.length}`);
  };

  for (const item of all) {
    if (kindsOf(item).length !== 1) found.push(`${item.PK} ${item.SK} is of no kind, or of several`);
  }
  for (const id of organizations) {
    const partition = `ORG#${id}`;
    expectCount(`${partition} META`, 'lists', of(partition, 'LIST#'));
    expectCount(`${partition} META`, 'members', of(partition, 'MEMBER#'));
    const automations = of(partition, 'AUTO#');
    expectCount(`${partition} META`, 'automations', automations);
    const active = automations.filter(automation => automation.active);
    expectCount(`${partition} META`, 'active_automations', active);
    for (const member of of(partition, 'MEMBER#')) {
      expectTwin(member, `USER#${member.SK.slice(7)} ORG#${String(id).padStart(15, '0')}`, ['role']);
      for (const copy of of(`USER#${member.SK.slice(7)}`, 'SESSION#')) expectTwin(copy, `${copy.SK} -`, []);
      for (const token of of(`USER#${member.SK.slice(7)}`, 'TOKEN#')) {
        expectTwin(token, `TOKEN#${token.hash} -`, ['hash']);
      }
      const user = `USER#${member.SK.slice(7)}`;
      const joined = of(user, 'ORG#').filter(({ role }) => role !== 'OWNER');
      expectCount(`${user} JOINED`, 'organizations', joined);
      const names = [...((at.get(`${user} TOKENS`)?.names as Set<string> | undefined) ?? [])].sort().join();
      const tokens = of(user, 'TOKEN#')
        .map(({ name }) => name)
        .sort();
      if (names !== tokens.join()) found.push(`${user} has the names ${names} of the tokens ${tokens}`);
    }
    const pending = of(partition, 'INVITE#').filter(({ status }) => status === 'pending');
    const set = at.get(`${partition} INVITATIONS`)?.ids as Set<string> | undefined;
    const listed = [...(set ?? [])].sort().join();
    const stored = pending.map(({ SK }) => SK.slice(7)).sort();
    if (listed !== stored.join()) found.push(`${partition} lists ${listed} as pending, not ${stored}`);
    for (const invitation of pending)
      expectTwin(invitation, `EMAIL#${invitation.email} ${invitation.SK}`, []);

    for (const { SK } of of(partition, 'LIST#')) found.push(...ofList(id, SK.slice(5)));
    for (const { PK } of all.filter(({ PK, SK }) => PK.startsWith(`R#${id}#`) && SK === 'HEAD')) {
      const numbers = of(PK, 'J#').map(({ SK }) => 9_999_999_999 - Number(SK.slice(2)));
      if (numbers.some(number => number > numbers.length)) found.push(`${PK} has a gap in its journal`);
    }
  }
  return found;

  function ofList(organization: number, list: string): string[] {
    const faults: string[] = [];
    const members = all.filter(
      ({ PK, SK, status }) => PK.startsWith(`R#${organization}#`) && SK === `IN#${list}` && status !== 'left',
    );
    const subscribed = members.filter(({ status }) => status === 'subscribed');
    const counts = at.get(`LIST#${list} COUNTS`);
    const counted = `${counts?.total} ${counts?.subscribed}`;
    if (counted !== `${members.length} ${subscribed.length}`) {
      faults.push(`LIST#${list} counts ${counted}, not ${members.length} ${subscribed.length}`);
    }
    const places = of(`LIST#${list}`, 'COLUMN#').filter(({ has_place }) => has_place);
    expectCount(`LIST#${list} COUNTS`, 'columns', places);
    const columns = new Map<string, number>();
    for (const { metadata } of members) {
      for (const [column] of datetimesOf(metadata as Metadata)) {
        columns.set(column, (columns.get(column) ?? 0) + 1);
      }
    }
    for (const { SK, members: counted } of of(`LIST#${list}`, 'COLUMN#')) {
      if (counted !== (columns.get(SK.slice(7)) ?? 0)) faults.push(`LIST#${list} ${SK} counts ${counted}`);
    }
    const rows = subscribed.flatMap(member => {
      const { metadata, created_at } = member as Item & { metadata: Metadata; created_at: string };
      const hash = String(member.PK.split('#')[2]);
      return triggerRows(hash, { list_id: list, metadata, created_at }).map(({ PK, SK }) => `${PK} ${SK}`);
    });
    const kept = all.filter(({ PK }) => PK.startsWith(`TRG#${list}#`)).map(({ PK, SK }) => `${PK} ${SK}`);
    for (const row of rows) if (!kept.includes(row)) faults.push(`${row} is missing`);
    for (const row of kept) if (!rows.includes(row)) faults.push(`${row} is of no member`);
    return faults;
  }
}
