import * as automations from '#core/automation/automation.ts';
import * as list from '#core/list/list.ts';
import * as memberImport from '#core/list/member-import/member-import.ts';
import * as organization from '#core/organization/organization.ts';
import { getAll, type Table } from '#core/storage/table.store.ts';
import { commit } from '#core/storage/write.store.ts';
import { NewAutomation } from '#shared/automation.ts';
import { NewImport } from '#shared/member-import.ts';
import { type Environment, newEnvironment } from './environment.ts';
import { finishedRun, violations } from './invariants.ts';
import * as made from './organizations.ts';
import { type Random, randomFrom } from './random.ts';
import type { Failure, Process } from './scheduler.ts';
import { runSending } from './sending.ts';
import { needsOf } from './users.ts';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The functions of which each request fails once. */
export const FUNCTIONS = ['import', 'sweep', 'sender', 'dispatcher', 'projector', 'purge'] as const;

/** The n-th request of a function fails. */
export type Failing = { of: (typeof FUNCTIONS)[number]; at: number; how: Failure };

const addresses = (name: string) => Array.from({ length: 10 }, (_, at) => `${name}${at}@example.com`);
const PEOPLE = addresses('reader');
const IMPORTED = addresses('imported');

/**
 * Ten people are mailed, and ten who are imported when their email has just fallen due. For a purge, the list is deleted then.
 * Returns what is wrong at the end, and how many requests the function has made.
 */
export async function runFailing({ of, at, how }: Failing): Promise<{ wrong: string[]; requests: number }> {
  let requests = 0;
  const failureOf = ({ name }: Process) =>
    name.slice(0, name.indexOf('/')) === of && ++requests === at ? how : undefined;
  const environment = newEnvironment({ seed: 1, failureOf });
  const { scheduler, faults } = environment;
  const start = scheduler.now().getTime();
  const until = start + HOUR;
  const world = await environment.prepare(table => newWorld({ table, now: scheduler.now() }));
  faults.counts.set(how === 'killed after' ? how : 'throttle', 1);
  const sending = runSending(environment, until, [], 'usual');
  scheduler.at(start + 6 * MINUTE, () => addRows(environment, world));
  const rest = async () => {
    for (let minutes = 0; minutes === 0 || !sending.isIdle(); minutes++) {
      if (minutes > 120) throw new Error('It does not come to rest');
      await scheduler.run(scheduler.now().getTime() + MINUTE);
    }
  };
  await scheduler.run(until);
  faults.isOver = true;
  await rest();
  const wrong = [...lostOrDoubled(environment), ...(await unfinished(environment, world))];
  if (of === 'purge') {
    const { stillTable: table } = environment;
    await list.remove({ table, now: scheduler.now() }, await listIn(table, world));
    await rest();
  }
  const finished = finishedRun({ environment, model: world.model, start, until, outages: [], isCalm: false });
  const found = violations(finished).map(({ invariant, found }) => `${invariant}: ${found}`);
  return { wrong: [...wrong, ...found], requests };
}

type World = { model: made.Model; of: made.Organization; list: string; import: string };
type Needs = { table: Table; now: Date };

async function newWorld(needs: Needs): Promise<World> {
  const { account, writes } = await organization.prepareAccount(needs, 'owner@example.com');
  await commit(needs.table, writes);
  const of = newOrganization(account);
  const model = { organizations: [of], people: [...PEOPLE, ...IMPORTED], hotMinutes: [], isCrowded: false };
  await made.newList(needs, LIKELY, of);
  const [id = ''] = of.lists;
  const signed_up = new Date(needs.now.getTime() - DAY + 3 * MINUTE).toISOString();
  for (const email of PEOPLE) await made.addMember(needs, of, id, email, { signed_up });
  const form = {
    name: 'Daily',
    email_list_ids: [id],
    metadata_trigger: 'signed_up',
    active: true,
    every_x_days: 1,
  };
  of.automations.push((await automations.create(needs, of.id, NewAutomation.parse(form))).id);
  await made.newTemplate(needs, LIKELY, of);
  const world = { model, of, list: id, import: '' };
  const file = NewImport.parse({
    file_name: 'people.csv',
    size: 100,
    fingerprint: 'f'.repeat(64),
    total_rows: IMPORTED.length,
    columns: [
      { position: 0, name: 'Address', to: 'email' },
      { position: 1, name: 'Signed up', to: 'metadata', key: 'signed_up' },
    ],
    consent: { source: 'Sign-up form', date: '2026-01-31' },
  });
  const by = { ...needs, user: account.id, role: 'OWNER' as const };
  world.import = (await memberImport.create(by, await listIn(needs.table, world), file)).id;
  return world;
}

type Account = { id: string; default_organization_id: number };

const newOrganization = ({ id: owner, default_organization_id: id }: Account): made.Organization => ({
  id,
  owner,
  lists: [],
  automations: [],
  templates: [],
  assets: [],
  hasAudiences: false,
  hasSes: false,
  times: undefined,
});

/** What is likely happens. */
const LIKELY: Random = { ...randomFrom(1), chance: probability => probability > 0.5, fork: () => LIKELY };

async function listIn(table: Table, { of, list: id }: World): Promise<list.CountedList> {
  const found = await list.lookUp({ table }, of.id, id);
  if (!found) throw new Error('There is no list');
  return found;
}

const importIn = async (table: Table, world: World) =>
  memberImport.found(
    world.import,
    await getAll(table, memberImport.keysOf(world.of.id, world.import, { list: world.list })),
  );

/** Sends the rows of the import until they are stored. */
function addRows(environment: Environment, world: World, tries = 10): void {
  const { scheduler } = environment;
  const signedUp = new Date(scheduler.now().getTime() - DAY - MINUTE).toISOString();
  const work = async (process: Process) => {
    const needs = needsOf(environment, process);
    const stored = await importIn(needs.table, world);
    const rows = IMPORTED.map(email => [email, signedUp]).slice(stored.done_rows);
    if (rows.length === 0) return;
    const by = { ...needs, role: 'OWNER' as const, hasTimeLeft: () => true };
    await memberImport.addRows(by, await listIn(needs.table, world), stored, {
      from: stored.done_rows + 1,
      rows,
    });
  };
  scheduler.start('import', work, { timeout: MINUTE }).then(({ state }) => {
    if (state !== 'ended' && tries > 0) scheduler.after(30_000, () => addRows(environment, world, tries - 1));
  });
}

/** Nobody is mailed twice. Who is not mailed has an email that is shown as unknown. */
function lostOrDoubled({ store, provider }: Environment): string[] {
  const mayBeUnknown = [...store.all()].some(({ type, state }) => type === 'batch' && state === 'unknown');
  return [...PEOPLE, ...IMPORTED].flatMap(email => {
    const times = provider.ledger.filter(({ to }) => to === email).length;
    return times === 1 || (times === 0 && mayBeUnknown) ? [] : [`${email} was mailed ${times} times`];
  });
}

async function unfinished({ stillTable }: Environment, world: World): Promise<string[]> {
  const { state, created } = await importIn(stillTable, world);
  return state === 'done' && created === IMPORTED.length
    ? []
    : [`The import is ${state}, with ${created} created`];
}
